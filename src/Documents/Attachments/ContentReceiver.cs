using System.Diagnostics;
using System.Security.Cryptography;
using Jackdaw.Documents.Commands;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Attachments;

/// <summary>Receives one content: hashes it, and stores it chunk by chunk while the rest arrives, when it is larger than a chunk.</summary>
/// <remarks>
/// One chunk is filled while the one before is written, and no third one begins: two chunks are all the memory that a content of any size needs.
/// Use: <see cref="ReserveAsync"/>, then <see cref="Advance"/>, again and again; then <see cref="FinishAsync"/> once; then the command that
/// takes the content; then the disposal. What was not taken by then is removed by the collector. Used by one request.
/// </remarks>
/// <param name="write">Writes a chunk durably; throws when that is not possible.</param>
/// <param name="holds">Of the database.</param>
internal sealed class ContentReceiver(Func<WriteBatch, CancellationToken, ValueTask> write, ContentHolds holds) : IAsyncDisposable
{
    /// <summary>First buffer, in bytes; most contents of an application that has many are of about this size.</summary>
    private const int FirstBytes = 64 * 1024;

    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private readonly WriteChunkCommand _chunk = new(holds);
    private byte[] _filling = [];
    private byte[] _writing = [];
    private int _filled;
    private int _chunks;
    private Task _write = Task.CompletedTask;

    /// <summary>Bytes received so far.</summary>
    public long Size { get; private set; }

    /// <summary>Bytes of its buffers.</summary>
    public int BufferBytes => _filling.Length + _writing.Length;

    /// <summary>Room for at least one more byte.</summary>
    public async ValueTask<Memory<byte>> ReserveAsync(CancellationToken cancellationToken)
    {
        if (_filled == AttachmentLimits.ChunkBytes)
        {
            await WriteFilledAsync(cancellationToken).ConfigureAwait(false);
        }

        if (_filled == _filling.Length)
        {
            Grow();
        }

        return _filling.AsMemory(_filled, Math.Min(_filling.Length, AttachmentLimits.ChunkBytes) - _filled);
    }

    /// <summary>Takes bytes that were written to the reserved room.</summary>
    public void Advance(int count)
    {
        Debug.Assert(count >= 0 && _filled + count <= AttachmentLimits.ChunkBytes);
        _hash.AppendData(_filling, _filled, count);
        _filled += count;
        Size += count;
    }

    /// <summary>Takes bytes from elsewhere.</summary>
    public async ValueTask AppendAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        while (!bytes.IsEmpty)
        {
            Memory<byte> free = await ReserveAsync(cancellationToken).ConfigureAwait(false);
            int count = Math.Min(free.Length, bytes.Length);
            bytes[..count].CopyTo(free);
            Advance(count);
            bytes = bytes[count..];
        }
    }

    /// <summary>The content is complete.</summary>
    /// <param name="inMemoryMax">Bytes up to which it may stay in memory, and is written by the command that takes it.</param>
    /// <param name="cancellationToken">Ends the waiting for the last chunks.</param>
    /// <returns>Its bytes are an array of their own. Without a number nothing is left to dispose.</returns>
    public async ValueTask<ReceivedContent> FinishAsync(int inMemoryMax, CancellationToken cancellationToken)
    {
        byte[] hash = _hash.GetHashAndReset();
        _hash.Dispose();
        if (_chunks == 0 && _filled <= inMemoryMax)
        {
            // A batch may have thousands of contents of some bytes: none keeps a buffer of the pool.
            byte[] bytes = GC.AllocateUninitializedArray<byte>(_filled);
            _filling.AsSpan(0, _filled).CopyTo(bytes);
            ReturnBuffers();
            return new ReceivedContent(hash, Size, 0, bytes);
        }

        if (_filled > 0)
        {
            await WriteFilledAsync(cancellationToken).ConfigureAwait(false);
        }

        await _write.ConfigureAwait(false);
        ReturnBuffers();
        return new ReceivedContent(hash, Size, _chunk.Number, default);
    }

    public async ValueTask DisposeAsync()
    {
        // The store reads the chunk until the write has ended, even if the request has failed.
        await _write.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        ReturnBuffers();
        _hash.Dispose();
        if (_chunk.Number != 0)
        {
            _chunk.ReleaseNumber();
            holds.Wake();
        }
    }

    private async ValueTask WriteFilledAsync(CancellationToken cancellationToken)
    {
        await _write.ConfigureAwait(false);
        (_filling, _writing) = (_writing, _filling);
        _chunk.Index = _chunks++;
        _chunk.Bytes = _writing.AsMemory(0, _filled);
        _filled = 0;
        _write = write(new WriteBatch { Commands = new DocumentCommand[] { _chunk } }, cancellationToken).AsTask();
    }

    private void Grow()
    {
        // After the first chunk it is known that the content is large.
        int wanted = _chunks > 0 ? AttachmentLimits.ChunkBytes : Math.Clamp(_filling.Length * 4, FirstBytes, AttachmentLimits.ChunkBytes);
        byte[] larger = ByteArrays.Rent(wanted);
        _filling.AsSpan(0, _filled).CopyTo(larger);
        Return(ref _filling);
        _filling = larger;
    }

    private void ReturnBuffers()
    {
        Return(ref _filling);
        Return(ref _writing);
        _filled = 0;
    }

    private static void Return(ref byte[] buffer)
    {
        byte[] returned = buffer;
        buffer = [];
        if (returned.Length > 0)
        {
            ByteArrays.Return(returned);
        }
    }
}
