using System.Buffers;
using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Operations;
using Jackdaw.Json;
using Jackdaw.Pal.Native;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Problems;

namespace Jackdaw.Server.Http.Handlers.BulkInserts;

/// <summary>Passes batches of a bulk insert to the store. One batch is written while the next one is filled, and a third one is never started.</summary>
/// <remarks>A bulk insert holds the memory of two batches and one command; during a pause it holds only that of one command. A
/// command that is larger than a batch holds a place among the large bodies until it is stored, and when it is
/// compressed it counts towards the limit of compressed bodies. The buffers of a content count as those of other uploads.
/// Used by one request.</remarks>
/// <param name="uploads">The limit of all uploads.</param>
/// <param name="decompression">The share of the limit that a compressed body holds; null for an uncompressed
/// one.</param>
internal sealed class BulkInsertWriter(
    DocumentDatabase database, Operation operation, bool skipUnchanged, LargeBodyAdmission places, AnswerAdmission uploads,
    DecompressionAdmission? decompression, TimeProvider time)
    : IAsyncDisposable
{
    /// <summary>The most command objects that are reused for the next batch: as many as a batch has with documents of 1 KB.</summary>
    private const int CachedCommandsMax = 4096;

    private ParsedBatch _filling = new() { CachedCommandsMax = CachedCommandsMax };
    private ParsedBatch _writing = new() { CachedCommandsMax = CachedCommandsMax };
    private InsertedContents _fillingContents = new(database, uploads);
    private InsertedContents _writingContents = new(database, uploads);
    private Task _write = Task.CompletedTask;
    private int _stored; // the first commands of the batch that is being filled, if the content of its last one makes them wait
    private long _pendingSince;
    private BulkInsertCounts _counts;

    /// <summary>The batch that is being filled.</summary>
    public ParsedBatch Filling => _filling;

    /// <summary>Whether there are commands that can be written, or a batch whose result was not checked yet.</summary>
    public bool IsBusy => PendingCount > 0 || _writing.Count > 0;

    /// <summary>How long the first of the commands that can be written has been waiting.</summary>
    public TimeSpan PendingTime => PendingCount > 0 ? time.GetElapsedTime(_pendingSince) : TimeSpan.Zero;

    private int PendingCount => _filling.Count - _stored - (IsReceiving ? 1 : 0);

    /// <summary>Whether the content of the last command is arriving. Until it is complete, nothing can be written.</summary>
    public bool IsReceiving => _fillingContents.IsReceiving;

    /// <summary>Whether there is a large command, for whose place others may be waiting.</summary>
    public bool HasPlace { get; private set; }

    /// <summary>Waits for a place for the command being received, unless it has one, and until it may grow
    /// further.</summary>
    /// <param name="pendingBytes">The bytes of the command that were received so far.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async ValueTask EnterAsync(int pendingBytes, CancellationToken cancellationToken)
    {
        if (!HasPlace)
        {
            await places.EnterAsync(cancellationToken).ConfigureAwait(false);
            HasPlace = true;
        }

        if (decompression is not null)
        {
            // Includes the chunk that the next step begins.
            await decompression.GrowToAsync(pendingBytes + ChunkedMemory.ChunkBytes, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Must be called after each command.</summary>
    public async ValueTask AddAsync(CancellationToken cancellationToken)
    {
        _pendingSince = _filling.Count - 1 == _stored ? time.GetTimestamp() : _pendingSince;
        await _fillingContents.BeginAsync(_filling[_filling.Count - 1], cancellationToken).ConfigureAwait(false);
        if (IsReceiving && HasPlace)
        {
            // Others would have to wait for its place until the content has arrived.
            throw new RequestRefusedException(Problem.TooLarge(
                $"An AttachmentPUT of a bulk insert may have {DocumentLimits.BulkInsertBatchBytesMax} bytes before its content; this one has more."));
        }

        await WriteIfFullAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Takes bytes of the content of the last command.</summary>
    public async ValueTask AppendContentAsync(ReadOnlySequence<byte> bytes, CancellationToken cancellationToken)
    {
        await _fillingContents.AppendAsync(bytes, cancellationToken).ConfigureAwait(false);
        await WriteIfFullAsync(cancellationToken).ConfigureAwait(false);
    }

    private ValueTask WriteIfFullAsync(CancellationToken cancellationToken) =>
        IsReceiving ? ValueTask.CompletedTask
        : HasPlace ? WriteLargeAsync(cancellationToken)
        : _filling.ByteCount + _fillingContents.InMemoryBytes >= DocumentLimits.BulkInsertBatchBytesMax ? SwapAsync(cancellationToken)
        : ValueTask.CompletedTask;

    /// <summary>Writes all pending commands; afterwards all commands that arrived completely are durable, and only the content of the last one holds
    /// memory.</summary>
    public async ValueTask FinishAsync(CancellationToken cancellationToken)
    {
        if (PendingCount > 0 && IsReceiving)
        {
            await _write.ConfigureAwait(false);
            int complete = _filling.Count - 1;
            _write = WriteAsync(_filling, _stored, complete, null, cancellationToken);
            _stored = complete;
        }
        else if (PendingCount > 0)
        {
            await SwapAsync(cancellationToken).ConfigureAwait(false);
        }

        await _write.ConfigureAwait(false);
        _writing.Clear();
    }

    public async ValueTask DisposeAsync()
    {
        // The store reads the batch's memory until the write completes, even if the request has failed.
        await _write.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _fillingContents.DisposeAsync().ConfigureAwait(false);
        await _writingContents.DisposeAsync().ConfigureAwait(false);
        _filling.Dispose();
        _writing.Dispose();
        Leave();
    }

    private async ValueTask WriteLargeAsync(CancellationToken cancellationToken)
    {
        await FinishAsync(cancellationToken).ConfigureAwait(false);
        Leave();
    }

    private void Leave()
    {
        if (HasPlace)
        {
            HasPlace = false;
            decompression?.Dispose();
            places.Leave();
        }
    }

    private BulkInsertCounts CountWith(ReadOnlySpan<DocumentCommand> commands)
    {
        long documents = _counts.Documents;
        long[]? extended = null;
        foreach (DocumentCommand command in commands)
        {
            if (command is ExtensionCommand extending)
            {
                extended ??= [.. _counts.Extended ?? new long[DocumentExtensions.SlotsMax]];
                extended[extending.Extension.Slot] += extending.Items;
            }
            else
            {
                documents++;
            }
        }

        return new BulkInsertCounts(documents, _counts.Batches + 1, Encoding.UTF8.GetString(commands[^1].Id.Span))
        {
            Extended = extended ?? _counts.Extended,
        };
    }

    private async ValueTask SwapAsync(CancellationToken cancellationToken)
    {
        await _write.ConfigureAwait(false);
        _writing.Clear();
        (_filling, _writing) = (_writing, _filling);
        (_fillingContents, _writingContents) = (_writingContents, _fillingContents);
        int first = _stored;
        _stored = 0;
        _write = WriteAsync(_writing, first, _writing.Count, _writingContents, cancellationToken);
    }

    /// <param name="contents">The contents of the commands, which are not needed afterwards; null if they are.</param>
    private async Task WriteAsync(ParsedBatch batch, int first, int end, InsertedContents? contents, CancellationToken cancellationToken)
    {
        var write = new WriteBatch
        {
            Commands = batch.Commands[first..end],
            SkipUnchanged = skipUnchanged,
        };
        WriteOutcome outcome = await database.WriteAsync(write, cancellationToken).ConfigureAwait(false);
        outcome.ThrowUnlessWritten(write, database);
        if (contents is not null)
        {
            await contents.DisposeAsync().ConfigureAwait(false);
        }

        _counts = CountWith(write.Commands.Span);
        operation.Report(_counts);
    }
}
