using System.Text;
using System.Text.Encodings.Web;
using Jackdaw.Server.Queries.Language;

namespace Jackdaw.Server.Queries.Execution;

/// <summary>The call of a declared function, <c>select output(o, $p, o.Lines)</c>, as JavaScript.</summary>
internal static class SelectedCall
{
    /// <summary>Name of the document in queries without an alias.</summary>
    public const string DocumentVariable = "$document";

    /// <exception cref="InvalidQueryException">An argument has no form in JavaScript.</exception>
    public static string ToScript(QuerySyntax query, MethodExpression call)
    {
        var text = new StringBuilder();
        Append(text, query, call);
        return text.ToString();
    }

    private static void Append(StringBuilder text, QuerySyntax query, Expression expression)
    {
        switch (expression)
        {
            case MethodExpression { Member: null } call:
                text.Append(query.FindFunction(call.Name)?.Name ?? call.Name).Append('(');
                for (int i = 0; i < call.Arguments.Count; i++)
                {
                    text.Append(i > 0 ? ", " : "");
                    Append(text, query, call.Arguments[i].Value);
                }

                text.Append(')');
                break;
            case FieldExpression field:
                AppendPath(text, query, field.Path);
                break;
            case ParameterExpression parameter:
                text.Append('$').Append(parameter.Name);
                break;
            case LiteralExpression { Kind: LiteralKind.String } literal:
                text.Append(Quote(literal.Text));
                break;
            case LiteralExpression literal:
                text.Append(literal.Kind is LiteralKind.Long or LiteralKind.Double ? literal.Text : literal.Kind.ToString().ToLowerInvariant());
                break;
            default:
                throw InvalidQueryException.At(query.Text, expression.TextPosition, "a field, a value or a call is expected here.");
        }
    }

    private static void AppendPath(StringBuilder text, QuerySyntax query, FieldPath path)
    {
        string first = path.FirstName;
        bool isAlias = !path.IsQuoted && (first == query.From.Alias || query.Loads.Any(load => load.Alias == first));
        text.Append(isAlias ? first : DocumentOf(query));
        foreach (FieldPart part in isAlias ? path.Parts.Skip(1) : path.Parts)
        {
            text.Append(part switch
            {
                { IsEach: true } => throw InvalidQueryException.At(query.Text, path.TextPosition,
                    $"'{path}' stands for several values; give the array to the function, and map it there."),
                { Name: null } => $"[{part.Position}]",
                _ => $"[{Quote(part.Name)}]",
            });
        }
    }

    private static string DocumentOf(QuerySyntax query) => query.From.Alias ?? DocumentVariable;

    private static string Quote(string text) => $"\"{JavaScriptEncoder.Default.Encode(text)}\"";
}
