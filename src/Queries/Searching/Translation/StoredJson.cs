using System.Text;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Queries.Searching.Translation;

/// <summary>Objects in the form in which an index has them.</summary>
internal static class StoredJson
{
    /// <summary>The text of an object as an index writes it: without whitespace, with each text and number in one form.</summary>
    /// <param name="json">The object as a client sent it.</param>
    public static string Of(string json)
    {
        using var text = new DocumentText();
        byte[] utf8 = Encoding.UTF8.GetBytes(json);
        ExecutionBudget.Start(utf8.Length);
        return text.Read(utf8, default).ToJson();
    }
}
