using Acornima;
using Acornima.Ast;

namespace Jackdaw.Scripting;

/// <summary>The kind of a piece of JavaScript.</summary>
internal enum ScriptFragmentKind
{
    /// <summary>One expression.</summary>
    Expression,

    /// <summary>Statements and declarations.</summary>
    Statements,

    /// <summary>Statements that may return.</summary>
    Body,
}

/// <summary>Parses what a user wrote on its own, before it is combined with other texts, and refuses what scripts may not use.</summary>
/// <remarks>
/// It is parsed on its own so that it cannot close a bracket of the text around it, and so that errors name the place in the user's text.
/// Refused are: asynchronous code (a script runs to its end at once; what waits would run in the next document's run),
/// modules, BigInt (one multiplication can take minutes, and nothing can stop it), and what is too deep or multiplies
/// too much in one expression.
/// </remarks>
internal static class ScriptSyntax
{
    private const string ExpressionStart = "(\n";

    /// <exception cref="JavaScriptParseException">The text is not JavaScript, or uses something that is not allowed.</exception>
    /// <returns>What to insert: a call of <see cref="BoundedText.MembersOf"/> around each value that syntax takes apart into members, because
    /// nothing else checks it before.</returns>
    public static IReadOnlyList<ScriptInsertion> Check(ScriptFragment part, ScriptFragmentKind kind)
    {
        if (part.Text.Length > ScriptLimits.TextLengthMax)
        {
            throw new JavaScriptParseException(ScriptError.Refused,
                $"The script has {part.Text.Length} characters, and the longest allowed has " +
                $"{ScriptLimits.TextLengthMax}. Make it shorter.", ScriptText.Place(part, 0, 0));
        }

        Script program = Parse(part, kind);
        bool isExpression = kind == ScriptFragmentKind.Expression;
        if (isExpression && (program.Body.Count != 1 || program.Body[0] is not ExpressionStatement))
        {
            throw Fault(part, ScriptError.Syntax, "One expression is expected here, such as { Name: o.Name }", null, 0);
        }

        return Walk(part, program, isExpression ? 1 : 0);
    }

    /// <summary>Refuses a text that cannot be the name of a variable.</summary>
    public static void CheckName(string name)
    {
        bool isName = name.Length is > 0 and <= 200 && (char.IsLetter(name[0]) || name[0] is '_' or '$')
            && name.All(letter => char.IsLetterOrDigit(letter) || letter is '_' or '$');
        if (isName)
        {
            Check(new ScriptFragment($"({name}) => 0", $"the name '{name}'"), ScriptFragmentKind.Expression);
            return;
        }

        throw new JavaScriptParseException(ScriptError.Syntax,
            $"'{name}' cannot be the name of a variable in JavaScript. Choose another alias.", null);
    }

    internal static Script Parse(ScriptFragment part, ScriptFragmentKind kind)
    {
        bool isExpression = kind == ScriptFragmentKind.Expression;
        string text = isExpression ? ExpressionStart + part.Text + "\n)" : part.Text;
        var options = new ParserOptions { AllowReturnOutsideFunction = kind == ScriptFragmentKind.Body };
        try
        {
            return new Parser(options).ParseScript(text, strict: true);
        }
        catch (ParseErrorException error)
        {
            int line = Math.Max(error.LineNumber - (isExpression ? 2 : 1), 0);
            throw new JavaScriptParseException(ScriptError.Syntax,
                $"The script is not JavaScript: {error.Description}. Correct it.",
                ScriptText.Place(part, line, error.Column), error);
        }
        catch (InsufficientExecutionStackException)
        {
            throw TooDeep(part, null, 0);
        }
    }

    private static List<ScriptInsertion> Walk(ScriptFragment part, Node root, int linesBefore)
    {
        var insertions = new List<ScriptInsertion>();
        var open = new Stack<(Node Node, int Depth)>();
        open.Push((root, 0));
        while (open.TryPop(out (Node Node, int Depth) next))
        {
            if (next.Depth > ScriptLimits.SyntaxDepthMax)
            {
                throw TooDeep(part, next.Node, linesBefore);
            }

            if (Refusal(next.Node) is { } reason)
            {
                throw Fault(part, ScriptError.Refused, reason, next.Node, linesBefore);
            }

            foreach (Node child in next.Node.ChildNodes)
            {
                open.Push((child, next.Depth + 1));
                Node? members = next.Node is ObjectExpression && child is SpreadElement spread ? spread.Argument
                    : next.Node is ForInStatement loop && ReferenceEquals(loop.Right, child) ? child
                    : null;
                if (members is not null)
                {
                    Insert(insertions, members.Start, members.Location.Start, linesBefore, BoundedText.MembersOf + "((");
                    Insert(insertions, members.End, members.Location.End, linesBefore, "))");
                }
            }
        }

        insertions.Sort((left, right) => left.Offset.CompareTo(right.Offset));
        return insertions;
    }

    internal static void Insert(List<ScriptInsertion> to, int offset, Position at, int linesBefore, string text) =>
        to.Add(new ScriptInsertion(offset - (linesBefore * ExpressionStart.Length), at.Line - 1 - linesBefore, at.Column, text));

    private static string? Refusal(Node node) => node switch
    {
        IFunction { Async: true } or AwaitExpression or ForOfStatement { Await: true } =>
            "Scripts cannot wait: async and await are not available. Compute the value at once",
        // When generators call each other, that is not counted as calls are. They can overflow the stack, which ends the process.
        IFunction { Generator: true } => "Generators (function*) are not available. Fill an array and return it",
        ImportExpression or ImportDeclaration or MetaProperty { Meta.Name: "import" } =>
            "Scripts cannot import modules. Put the function into the script itself",
        Identifier { Name: BoundedText.MembersOf } => $"The name '{BoundedText.MembersOf}' is taken. Choose another",
        BigIntLiteral => "BigInt is not available. Use a number, or keep the value as text",
        TemplateLiteral { Expressions.Count: > ScriptLimits.AmplificationMax } => TooMany("values in a template"),
        CallExpression call when Spreads(call.Arguments) > ScriptLimits.AmplificationMax => TooMany("'...' in a call"),
        NewExpression made when Spreads(made.Arguments) > ScriptLimits.AmplificationMax => TooMany("'...' in a call"),
        ArrayExpression array when Spreads(array.Elements) > ScriptLimits.AmplificationMax =>
            TooMany("'...' in an array"),
        _ => null,
    };

    private static string TooMany(string what) =>
        $"More than {ScriptLimits.AmplificationMax} {what} are not allowed. Use several statements";

    private static int Spreads<T>(NodeList<T> nodes)
        where T : Node?
    {
        int count = 0;
        foreach (T node in nodes)
        {
            count += node is SpreadElement ? 1 : 0;
        }

        return count;
    }

    private static JavaScriptParseException TooDeep(ScriptFragment part, Node? node, int linesBefore) => Fault(part,
        ScriptError.Refused, $"More than {ScriptLimits.SyntaxDepthMax} levels of expressions are nested. " +
        "Use variables or functions", node, linesBefore);

    private static JavaScriptParseException Fault(
        ScriptFragment part, ScriptError error, string problem, Node? node, int linesBefore)
    {
        Position at = node?.Location.Start ?? Position.From(1 + linesBefore, 0);
        return new(error, problem + ".", ScriptText.Place(part, Math.Max(at.Line - 1 - linesBefore, 0), at.Column));
    }
}
