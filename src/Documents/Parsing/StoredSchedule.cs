using Jackdaw.Documents.Schedules;
using Jackdaw.Json;

namespace Jackdaw.Documents.Parsing;

/// <summary>What the metadata of a stored document says about its future.</summary>
internal static class StoredSchedule
{
    /// <summary>Parses a document if its metadata may say something.</summary>
    /// <param name="body">Of a stored document.</param>
    /// <param name="metadataOffset">Where its metadata begins.</param>
    /// <returns>Null: nothing. A member that is no date was a user's own, and stays one.</returns>
    public static DocumentSchedule? Read(ReadOnlySpan<byte> body, int metadataOffset, DocumentParser parser)
    {
        ReadOnlySpan<byte> metadata = body[metadataOffset..];
        if (metadata.IndexOf("\"@expires\""u8) < 0 && metadata.IndexOf("\"@refresh\""u8) < 0 && metadata.IndexOf("\"@archive"u8) < 0)
        {
            return null;
        }

        try
        {
            return parser.Parse(body).Schedule;
        }
        catch (DocumentFormatException)
        {
            return null;
        }
    }
}
