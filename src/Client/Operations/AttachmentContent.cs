namespace Jackdaw.Client.Operations;

/// <summary>Streams that become attachments.</summary>
internal static class AttachmentContent
{
    /// <summary>Refuses a stream that would not be stored as a whole.</summary>
    /// <exception cref="ArgumentException">It is closed, or does not stand at its beginning.</exception>
    public static Stream Check(Stream content, string documentId, string name)
    {
        ArgumentNullException.ThrowIfNull(content);
        if (!content.CanRead)
        {
            throw new ArgumentException(
                $"The stream of the attachment '{name}' of '{documentId}' is closed, or cannot be read. Keep it open until the save has read it.",
                nameof(content));
        }

        return !content.CanSeek || content.Position == 0 ? content : throw new ArgumentException(
            $"The stream of the attachment '{name}' of '{documentId}' stands at byte {content.Position} of {content.Length}, so that only what "
            + "follows would be stored. Set its Position to 0 first.", nameof(content));
    }
}
