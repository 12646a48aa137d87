using System.Buffers;
using Jackdaw.Server.Documents.Attachments;
using Jackdaw.Server.Documents.Commands;
using Jackdaw.Server.Documents.Store;

namespace Jackdaw.Server.Http.Handlers.Documents;

/// <summary>Contents of the attachments of one batch of a bulk insert, until it is written.</summary>
internal sealed class InsertedContents(DocumentDatabase database) : IAsyncDisposable
{
    private readonly List<ContentReceiver> _receivers = [];
    private PutAttachmentCommand? _command;
    private long _left;

    /// <summary>Bytes that are held in memory.</summary>
    public int InMemoryBytes { get; private set; }

    /// <summary>The content of the last command has not arrived completely: its batch cannot be written yet.</summary>
    public bool IsReceiving => _command is not null;

    /// <summary>To be called with each command.</summary>
    public ValueTask BeginAsync(DocumentCommand command, CancellationToken cancellationToken)
    {
        if (command is not PutAttachmentCommand put)
        {
            return ValueTask.CompletedTask;
        }

        _command = put;
        _left = put.ContentLength ?? 0;
        _receivers.Add(AttachmentBodies.NewReceiver(database));
        return AppendAsync(default, cancellationToken);
    }

    /// <summary>Takes what has arrived of the content.</summary>
    public async ValueTask AppendAsync(ReadOnlySequence<byte> bytes, CancellationToken cancellationToken)
    {
        ContentReceiver receiver = _receivers[^1];
        foreach (ReadOnlyMemory<byte> segment in bytes)
        {
            await receiver.AppendAsync(segment, cancellationToken).ConfigureAwait(false);
        }

        _left -= bytes.Length;
        if (_left == 0)
        {
            _command!.Content = await receiver.FinishAsync(AttachmentLimits.BatchContentBytesMax - InMemoryBytes, cancellationToken)
                .ConfigureAwait(false);
            InMemoryBytes += _command.Content.Bytes.Length;
            _command = null;
        }
    }

    /// <summary>The batch was written, or failed; this can be used for the next.</summary>
    public async ValueTask DisposeAsync()
    {
        foreach (ContentReceiver receiver in _receivers)
        {
            await receiver.DisposeAsync().ConfigureAwait(false);
        }

        _receivers.Clear();
        InMemoryBytes = 0;
        _command = null;
    }
}
