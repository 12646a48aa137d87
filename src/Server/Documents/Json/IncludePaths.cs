using System.Text;
using System.Text.Json;

namespace Jackdaw.Server.Documents.Json;

/// <summary>Finds the ids that a stored document holds at an <see cref="IncludePath"/>.</summary>
/// <remarks>One pass over the document up to what is sought; allocates the ids, and keeps none. Missing members, and values that
/// cannot be ids, are no error: there is nothing to include then.</remarks>
public static class IncludePaths
{
    /// <summary>Tells the ids in the order of the document; equal ones are told each time.</summary>
    public static void Collect(ReadOnlySpan<byte> stored, IncludePath path, Action<string> take)
    {
        ArgumentNullException.ThrowIfNull(path);
        ArgumentNullException.ThrowIfNull(take);
        var reader = new Utf8JsonReader(stored, new JsonReaderOptions { MaxDepth = DocumentLimits.JsonDepthMax });
        reader.Read();
        CollectValue(ref reader, path, member: 0, take);
    }

    // The reader stands at the first token of a value, and stands at its last token afterwards.
    private static void CollectValue(ref Utf8JsonReader reader, IncludePath path, int member, Action<string> take)
    {
        switch (reader.TokenType)
        {
            case JsonTokenType.StartArray:
                while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
                {
                    CollectValue(ref reader, path, member, take);
                }
                break;
            case JsonTokenType.StartObject when member < path.Members.Length:
                CollectMember(ref reader, path, member, take);
                break;
            case JsonTokenType.StartObject:
                reader.Skip();
                break;
            case JsonTokenType.String when member == path.Members.Length:
                Add(reader.GetString()!, path, take);
                break;
            case JsonTokenType.Number when member == path.Members.Length && path.TakesNumbers:
                Add(Encoding.ASCII.GetString(reader.ValueSpan), path, take);
                break;
            default:
                break;
        }
    }

    // Names are unique in a stored document, so what follows the member is only skipped, to come to the object's end.
    private static void CollectMember(ref Utf8JsonReader reader, IncludePath path, int member, Action<string> take)
    {
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            bool isWanted = reader.ValueTextEquals(path.Members[member]);
            reader.Read();
            if (isWanted)
            {
                CollectValue(ref reader, path, member + 1, take);
            }
            else
            {
                reader.Skip();
            }
        }
    }

    private static void Add(string value, IncludePath path, Action<string> take)
    {
        // One that is too long is no id; made before it is refused, a long prefix would cost its length for each value.
        if (value.Length > 0 && path.Before.Length + value.Length + path.After.Length <= DocumentIds.IdBytesMax)
        {
            take($"{path.Before}{value}{path.After}");
        }
    }
}
