using System.Text;
using System.Text.Encodings.Web;
using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Planning.Projections;

/// <summary>The call of a declared function, <c>select output(o, $p, o.Lines)</c>, as JavaScript.</summary>
internal static class SelectedCall
{
    /// <summary>The name of the document in queries without an alias.</summary>
    public const string DocumentVariable = "$document";

    /// <exception cref="InvalidQueryException">An argument has no form in JavaScript.</exception>
    public static string ToScript(QuerySyntax query, MethodExpression call)
    {
        var text = new StringBuilder();
        Append(text, query, call);
        return text.ToString();
    }

    /// <summary>Whether a compare exchange value is selected: <c>select Name, cmpxchg('key') as Value</c>.</summary>
    public static bool ReadsValues(SelectClause select) => select.Items.Any(item => item.Value is MethodExpression method && IsOfValue(method));

    /// <summary>All selected items as one object.</summary>
    /// <exception cref="InvalidQueryException">An item has no form in JavaScript.</exception>
    public static string ToObject(QuerySyntax query, SelectClause select)
    {
        var text = new StringBuilder("({ ");
        foreach (SelectItem item in select.Items)
        {
            text.Append(Quote(item.Alias ?? NameOf(query, item.Value))).Append(": ");
            Append(text, query, item.Value);
            text.Append(", ");
        }

        return text.Append("})").ToString();
    }

    private static bool IsOfValue(MethodExpression method) => method.Is("cmpxchg");

    private static string NameOf(QuerySyntax query, Expression value) => value switch
    {
        FieldExpression { Path: { WithoutFirst: { } rest } path } when path.FirstName == query.From.Alias => rest.Name,
        FieldExpression field => field.Path.Name,
        MethodExpression method when method.Is("id") => "id()",
        MethodExpression method => method.Member?.Name ?? method.Name,
        ParameterExpression parameter => "$" + parameter.Name,
        LiteralExpression literal => literal.Text,
        _ => "value",
    };

    private static void Append(StringBuilder text, QuerySyntax query, Expression expression)
    {
        switch (expression)
        {
            case MethodExpression { Arguments.Count: 0 } call when call.Is("id"):
                text.Append("id(").Append(DocumentOf(query)).Append(')');
                break;
            case MethodExpression { Member: { } member } call when IsOfValue(call):
                Append(text, query, call with { Member = null });
                foreach (FieldSegment part in member.Parts)
                {
                    text.Append(part.Name is { } name ? $"[{Quote(name)}]" : $"[{part.Position}]");
                }

                break;
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
        foreach (FieldSegment part in isAlias ? path.Parts.Skip(1) : path.Parts)
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
