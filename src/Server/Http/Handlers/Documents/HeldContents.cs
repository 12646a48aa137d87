using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Database;

namespace Jackdaw.Server.Http.Handlers.Documents;

/// <summary>The contents of the attachments of one batch until it is written: up to <see cref="AttachmentLimits.BatchContentBytesMax"/> of them in
/// memory, the others in chunks that the batch adopts.</summary>
internal sealed class HeldContents(DocumentDatabase database) : IAsyncDisposable
{
    /// <summary>The bytes that are counted for each content in addition to its own: its hash and the objects around it.</summary>
    private const int FixedBytes = 256;

    private readonly List<ContentReceiver> _uploads = [];

    /// <summary>The bytes that are held in memory.</summary>
    public int InMemoryBytes { get; private set; }

    /// <summary>Begins a content.</summary>
    /// <returns>The receiver of the content, which is disposed with this object unless it is finished before.</returns>
    public ContentReceiver Begin()
    {
        ContentReceiver receiver = AttachmentBodies.NewReceiver(database);
        _uploads.Add(receiver);
        return receiver;
    }

    /// <summary>Ends the content that was begun last.</summary>
    public async ValueTask<ReceivedContent> FinishAsync(CancellationToken cancellationToken)
    {
        ContentReceiver receiver = _uploads[^1];
        ReceivedContent content = await receiver.FinishAsync(AttachmentLimits.BatchContentBytesMax - InMemoryBytes, cancellationToken)
            .ConfigureAwait(false);
        InMemoryBytes += content.Bytes.Length + FixedBytes;
        if (content.Number == 0)
        {
            _uploads.RemoveAt(_uploads.Count - 1);
            await receiver.DisposeAsync().ConfigureAwait(false);
        }

        return content;
    }

    /// <summary>Is called when the batch was written or has failed. This object can then be used for the next batch.</summary>
    public async ValueTask DisposeAsync()
    {
        foreach (ContentReceiver upload in _uploads)
        {
            await upload.DisposeAsync().ConfigureAwait(false);
        }

        _uploads.Clear();
        InMemoryBytes = 0;
    }
}
