using System.Text;
using System.Text.Json;

namespace Jackdaw.Server.Documents.Json;

/// <summary>Finds the ids that a stored document holds at an <see cref="IncludePath"/>.</summary>
/// <remarks>One pass over the document up to what is sought; allocates the ids. Missing members, and values that
/// cannot be ids, are no error: there is nothing to include then.</remarks>
public static class IncludePaths
{
    /// <summary>Adds the ids in the order of the document; equal ones are added each time.</summary>
    public static void Collect(ReadOnlySpan<byte> stored, IncludePath path, ICollection<string> ids)
    {
        ArgumentNullException.ThrowIfNull(path);
        ArgumentNullException.ThrowIfNull(ids);
        var reader = new Utf8JsonReader(stored, new JsonReaderOptions { MaxDepth = DocumentLimits.JsonDepthMax });
        reader.Read();
        CollectValue(ref reader, path, member: 0, ids);
    }

    // The reader stands at the first token of a value, and stands at its last token afterwards.
    private static void CollectValue(ref Utf8JsonReader reader, IncludePath path, int member, ICollection<string> ids)
    {
        switch (reader.TokenType)
        {
            case JsonTokenType.StartArray:
                while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
                {
                    CollectValue(ref reader, path, member, ids);
                }
                break;
            case JsonTokenType.StartObject when member < path.Members.Length:
                CollectMember(ref reader, path, member, ids);
                break;
            case JsonTokenType.StartObject:
                reader.Skip();
                break;
            case JsonTokenType.String when member == path.Members.Length:
                Add(reader.GetString()!, path, ids);
                break;
            case JsonTokenType.Number when member == path.Members.Length && path.TakesNumbers:
                Add(Encoding.ASCII.GetString(reader.ValueSpan), path, ids);
                break;
            default:
                break;
        }
    }

    // Names are unique in a stored document, so what follows the member is only skipped, to come to the object's end.
    private static void CollectMember(ref Utf8JsonReader reader, IncludePath path, int member, ICollection<string> ids)
    {
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            bool isWanted = reader.ValueTextEquals(path.Members[member]);
            reader.Read();
            if (isWanted)
            {
                CollectValue(ref reader, path, member + 1, ids);
            }
            else
            {
                reader.Skip();
            }
        }
    }

    private static void Add(string value, IncludePath path, ICollection<string> ids)
    {
        if (value.Length > 0)
        {
            ids.Add($"{path.Before}{value}{path.After}");
        }
    }
}
