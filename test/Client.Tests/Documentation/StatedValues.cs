using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Jackdaw.Client.Tests.Documentation;

/// <summary>Changes the statements of a block: what has a comment <c>// => value</c> behind it, or in the next line, tells the run what it gives.</summary>
/// <remarks>The statement is a declaration or an assignment, whose variable has the value; a call, which gives it; or <c>Console.WriteLine(value)</c>.
/// <c>// => throws Type: message</c> is that of a call that throws. A line that runs more than once states its values with commas between them. Three
/// dots stand for any text.</remarks>
internal sealed partial class StatedValues
{
    private const string Throws = "throws ";

    private readonly CodeBlock _block;
    private readonly SyntaxTree _tree;
    private readonly List<(int Begin, int End, string Text)> _edits = [];
    private readonly Dictionary<int, string> _expected = [];

    private StatedValues(CodeBlock block, SyntaxTree tree) => (_block, _tree) = (block, tree);

    /// <summary>What each line states, by its number in the page.</summary>
    public IReadOnlyDictionary<int, string> Expected => _expected;

    /// <exception cref="FormatException">A comment states a value of nothing.</exception>
    public static StatedValues Of(CodeBlock block, SyntaxTree tree)
    {
        var values = new StatedValues(block, tree);
        SyntaxNode root = tree.GetRoot();
        foreach (SyntaxTrivia comment in root.DescendantTrivia().Where(trivia => Comment().IsMatch(trivia.ToString())))
        {
            SyntaxToken end = comment.Token.Span.End <= comment.SpanStart ? comment.Token : comment.Token.GetPreviousToken();
            StatementSyntax statement = end.Parent?.AncestorsAndSelf().OfType<StatementSyntax>().FirstOrDefault(one => one.Span.End == end.Span.End)
                ?? throw new FormatException($"{block.Page}:{values.LineOf(comment.SpanStart)}: '{comment}' stands behind nothing that has a value.");
            values.Add(statement, Comment().Match(comment.ToString()).Groups[1].Value.Trim());
        }

        foreach (BaseObjectCreationExpressionSyntax made in root.DescendantNodes().OfType<ObjectCreationExpressionSyntax>().Where(IsStore))
        {
            values.Connect(made);
        }

        return values;
    }

    /// <summary>Text of a part of the block, changed.</summary>
    public string Rewrite(int begin, int end)
    {
        string text = _block.Text;
        foreach ((int from, int to, string replacement) in _edits.Where(edit => edit.Begin >= begin && edit.Begin < end).OrderByDescending(edit => edit.Begin))
        {
            text = text[..from] + replacement + text[to..];
            end += replacement.Length - (to - from);
        }

        return text[begin..end];
    }

    private static bool IsStore(ObjectCreationExpressionSyntax made) => made.Type.ToString() == nameof(DocumentStore);

    private void Add(StatementSyntax statement, string stated)
    {
        int line = LineOf(statement.Span.End - 1);
        _expected.Add(line, stated);
        if (stated.StartsWith(Throws, StringComparison.Ordinal))
        {
            Insert(statement.SpanStart, $"await run_.ThrowsAsync({line}, async () => {{ ");
            Insert(statement.Span.End, " });");
            return;
        }

        switch (statement)
        {
            case LocalDeclarationStatementSyntax { Declaration.Variables: [VariableDeclaratorSyntax variable] }:
                Insert(statement.Span.End, $" run_.Gives({line}, {variable.Identifier});");
                break;
            case ExpressionStatementSyntax { Expression: AssignmentExpressionSyntax assignment }:
                Insert(statement.Span.End, $" run_.Gives({line}, {assignment.Left});");
                break;
            case ExpressionStatementSyntax { Expression: InvocationExpressionSyntax call } when call.Expression.ToString() == "Console.WriteLine":
                _edits.Add((call.Expression.SpanStart, call.ArgumentList.OpenParenToken.Span.End, $"run_.Gives({line}, "));
                break;
            case ExpressionStatementSyntax { Expression: { } expression }:
                Insert(expression.SpanStart, $"run_.Gives({line}, ");
                Insert(expression.Span.End, ")");
                break;
            default:
                throw new FormatException($"{_block.Page}:{line}: a statement of this kind has no value.");
        }
    }

    // A store that the example makes reaches the server of the test, whatever its address.
    private void Connect(BaseObjectCreationExpressionSyntax made)
    {
        const string handler = "MessageHandler = run_.NewHandler()";
        if (made.Initializer is { } initializer)
        {
            Insert(initializer.OpenBraceToken.Span.End, $" {handler},");
        }
        else
        {
            Insert(made.Span.End, $" {{ {handler} }}");
        }
    }

    private void Insert(int at, string text) => _edits.Add((at, at, text));

    private int LineOf(int position) => _block.Line + _tree.GetLineSpan(new(position, 0)).StartLinePosition.Line;

    [GeneratedRegex("^// => (.+)")]
    private static partial Regex Comment();
}
