using Acornima;
using Acornima.Ast;
using Jint;

namespace Jackdaw.Scripting;

/// <summary>A parsed script: one function, made from what a user wrote, that any engine can run.</summary>
/// <remarks>Immutable and for any number of threads. All names that a user declares are variables of the function. So each run begins without
/// anything from the run before, and engines need not know which scripts they have run.</remarks>
internal sealed class PreparedScript
{
    private readonly ScriptText _text;
    private readonly Prepared<Script> _code;

    private PreparedScript(ScriptText text, IReadOnlyList<string> parameters)
    {
        _text = text;
        Parameters = parameters;
        try
        {
            _code = Engine.PrepareScript(text.ToString(), strict: true);
        }
        catch (ScriptPreparationException error)
        {
            throw AsParseException(error.InnerException as ParseErrorException, error.Message);
        }
    }

    /// <summary>Names of the arguments that a run gives to the function, in order.</summary>
    public IReadOnlyList<string> Parameters { get; }

    /// <summary>Code that evaluates to the function.</summary>
    public ref readonly Prepared<Script> Code => ref _code;

    /// <summary>Characters of the whole.</summary>
    public int Length => _text.ToString().Length;

    /// <summary>A function that returns the value of an expression.</summary>
    /// <param name="declarations">Functions that the expression may call.</param>
    /// <exception cref="JavaScriptParseException">A text is not JavaScript, or uses something that is not allowed.</exception>
    public static PreparedScript Expression(
        IEnumerable<ScriptFragment> declarations, ScriptFragment expression, IReadOnlyList<string> parameters)
    {
        ScriptText text = Begin(declarations, parameters);
        text.Around("return (").Add(expression, ScriptSyntax.Check(expression, ScriptFragmentKind.Expression)).Around(");})");
        return new PreparedScript(text, parameters);
    }

    /// <summary>A function whose body consists of statements: those of a patch, or the definitions of an index.</summary>
    /// <inheritdoc cref="Expression" path="/exception"/>
    public static PreparedScript Body(
        IEnumerable<ScriptFragment> declarations, IEnumerable<ScriptFragment> bodies, IReadOnlyList<string> parameters)
    {
        ScriptText text = Begin(declarations, parameters);
        foreach (ScriptFragment body in bodies)
        {
            // Each gets its own block, because two maps may use the same names.
            text.Around("{").Add(body, ScriptSyntax.Check(body, ScriptFragmentKind.Body)).Around("}");
        }

        text.Around("})");
        return new PreparedScript(text, parameters);
    }

    /// <summary>The place in the user's text that belongs to a place in the whole script.</summary>
    public ScriptPosition? Locate(SourceLocation at) => _text.Locate(at.Start.Line, at.Start.Column);

    private static ScriptText Begin(IEnumerable<ScriptFragment> declarations, IReadOnlyList<string> parameters)
    {
        var seen = new HashSet<string>(StringComparer.Ordinal);
        foreach (string name in parameters)
        {
            ScriptSyntax.CheckName(name);
            if (!seen.Add(name))
            {
                throw new JavaScriptParseException(ScriptError.Syntax,
                    $"The name '{name}' is given twice. Choose another alias.", null);
            }
        }

        ScriptText text = new ScriptText().Around($"(function({string.Join(", ", parameters)}){{");
        foreach (ScriptFragment part in declarations)
        {
            text.Add(part, ScriptSyntax.Check(part, ScriptFragmentKind.Statements));
        }

        return text;
    }

    private JavaScriptParseException AsParseException(ParseErrorException? error, string message) => new(
        ScriptError.Syntax, $"The script is not JavaScript: {error?.Description ?? message}. Correct it.",
        error is null ? null : _text.Locate(error.LineNumber, error.Column), error);
}
