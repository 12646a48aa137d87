using Jackdaw.Documents.Schedules;
using Jackdaw.Json;

namespace Jackdaw.Documents.Parsing;

/// <summary>Reads the scheduled times in the metadata of a stored document.</summary>
internal static class StoredSchedule
{
    /// <summary>Parses a document if its metadata may have scheduled times.</summary>
    /// <param name="body">The body of a stored document.</param>
    /// <param name="metadataOffset">The offset at which its metadata begins.</param>
    /// <returns>Null when there are none. A member that is not a date was a member of the user, and stays one.</returns>
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
