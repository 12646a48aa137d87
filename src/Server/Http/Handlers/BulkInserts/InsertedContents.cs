using System.Buffers;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Server.Http.Handlers.Documents;
using Jackdaw.Server.Http.Limits;

namespace Jackdaw.Server.Http.Handlers.BulkInserts;

/// <summary>The contents of the attachments of one batch of a bulk insert, which arrive after their commands.</summary>
/// <param name="uploads">Counts the buffers of the content that arrives.</param>
internal sealed class InsertedContents(DocumentDatabase database, AnswerAdmission uploads) : IAsyncDisposable
{
    private readonly HeldContents _held = new(database);
    private readonly UploadAdmission _buffers = new(uploads);
    private ContentReceiver? _receiver;
    private PutAttachmentCommand? _command;
    private long _left;

    /// <inheritdoc cref="HeldContents.InMemoryBytes"/>
    public int InMemoryBytes => _held.InMemoryBytes;

    /// <summary>Whether the content of the last command has not arrived completely, so that its batch cannot be written yet.</summary>
    public bool IsReceiving => _command is not null;

    /// <summary>Must be called with each command.</summary>
    public ValueTask BeginAsync(DocumentCommand command, CancellationToken cancellationToken)
    {
        if (command is not PutAttachmentCommand put)
        {
            return ValueTask.CompletedTask;
        }

        _command = put;
        _left = put.ContentLength;
        _receiver = _held.Begin();
        return AppendAsync(default, cancellationToken);
    }

    /// <summary>Takes the next bytes of the content.</summary>
    public async ValueTask AppendAsync(ReadOnlySequence<byte> bytes, CancellationToken cancellationToken)
    {
        foreach (ReadOnlyMemory<byte> segment in bytes)
        {
            await _receiver!.AppendAsync(segment, cancellationToken).ConfigureAwait(false);
            _buffers.GrowTo(_receiver.BufferBytes);
        }

        _left -= bytes.Length;
        if (_left == 0)
        {
            _command!.Content = await _held.FinishAsync(cancellationToken).ConfigureAwait(false);
            _buffers.Dispose();
            (_command, _receiver) = (null, null);
        }
    }

    /// <inheritdoc cref="HeldContents.DisposeAsync"/>
    public async ValueTask DisposeAsync()
    {
        await _held.DisposeAsync().ConfigureAwait(false);
        _buffers.Dispose();
        (_command, _receiver) = (null, null);
    }
}
