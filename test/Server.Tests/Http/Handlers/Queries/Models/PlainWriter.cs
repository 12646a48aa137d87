using System.Text;
using System.Text.Json;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Models;

/// <summary>Writes values of a query, each as a literal or as a parameter.</summary>
internal sealed class PlainWriter(Random random)
{
    /// <summary>What was written as a parameter.</summary>
    public Dictionary<string, object> Parameters { get; } = [];

    public string Write(JsonElement value) => random.Next(2) == 0 ? Add(value) : Literal(value);

    /// <summary>Values between parentheses; some of them, or all, as one parameter.</summary>
    public string WriteList(IReadOnlyList<JsonElement> values) =>
        random.Next(2) == 0 ? Add(values) : string.Join(", ", values.Select(Write));

    private string Add(object value)
    {
        string name = $"p{Parameters.Count}";
        Parameters.Add(name, value);
        return "$" + name;
    }

    private static string Literal(JsonElement value)
    {
        if (value.ValueKind != JsonValueKind.String)
        {
            return value.GetRawText();
        }

        var text = new StringBuilder("'");
        foreach (char c in value.GetString()!)
        {
            text.Append(c switch
            {
                '\'' => "''",
                '\\' => "\\\\",
                '\n' => "\\n",
                _ => c.ToString(),
            });
        }

        return text.Append('\'').ToString();
    }
}
