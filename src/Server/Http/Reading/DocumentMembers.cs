using System.Text.Json;
using Jackdaw.Json;

namespace Jackdaw.Server.Http.Reading;

/// <summary>Reads the members of a stored document one after the other, without its metadata.</summary>
internal static class DocumentMembers
{
    /// <summary>Bytes of a name that is shown to people. A longer one is data: a name may be as long as a document.</summary>
    private const int NameBytesMax = 256;

    /// <summary>Begins to read.</summary>
    /// <param name="body">Canonical JSON, as it is stored.</param>
    public static Utf8JsonReader Open(ReadOnlySpan<byte> body)
    {
        var reader = new Utf8JsonReader(body, new JsonReaderOptions { MaxDepth = DocumentLimits.JsonDepthMax + 1 });
        reader.Read();
        return reader;
    }

    /// <summary>Moves to the name of the next member; false after the last one. The metadata comes last, and is left out.</summary>
    /// <param name="reader">Before the first member, or at the end of the value of the one before.</param>
    public static bool MoveNext(ref Utf8JsonReader reader) =>
        reader.Read() && reader.TokenType == JsonTokenType.PropertyName && !reader.ValueTextEquals("@metadata"u8);

    /// <summary>The name at which a reader stands; null when it is too long to be shown.</summary>
    public static string? NameOf(ref Utf8JsonReader reader) => reader.ValueSpan.Length <= NameBytesMax ? reader.GetString() : null;
}
