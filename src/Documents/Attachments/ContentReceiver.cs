using System.Diagnostics;
using System.Security.Cryptography;
using Jackdaw.Documents.Commands;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Attachments;

/// <summary>Receives one content. Hashes it and, if it is larger than a chunk, stores it chunk by chunk while the rest arrives.</summary>
/// <remarks>
/// One chunk is filled while the one before is written, and a third one is not begun. So a content of any size needs the memory of two chunks.
/// Use: <see cref="ReserveAsync"/>, then <see cref="Advance"/>, many times; then <see cref="FinishAsync"/> once; then the command that takes the content; then
/// the disposal. The collector removes a content that was not taken. Used by one request.
/// </remarks>
/// <param name="write">Writes a chunk durably, or throws when that is not possible.</param>
/// <param name="holds">The holds of the database.</param>
internal sealed class ContentReceiver(Func<WriteBatch, CancellationToken, ValueTask> write, ContentHolds holds) : IAsyncDisposable
{
    /// <summary>The size of the first buffer, in bytes. Most contents of an application that has many are about this large.</summary>
    private const int FirstBytes = 64 * 1024;

    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private readonly WriteChunkCommand _chunk = new(holds);
    private byte[] _filling = [];
    private byte[] _writing = [];
    private int _filled;
    private int _chunks;
    private Task _write = Task.CompletedTask;

    /// <summary>The number of bytes that were received so far.</summary>
    public long Size { get; private set; }

    /// <summary>The bytes of its buffers.</summary>
    public int BufferBytes => _filling.Length + _writing.Length;

    /// <summary>Gives room for at least one more byte.</summary>
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

    /// <summary>Takes bytes that are in other memory.</summary>
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

    /// <summary>Completes the content.</summary>
    /// <param name="inMemoryMax">A content with at most this many bytes may stay in memory; the command that takes it writes it.</param>
    /// <param name="cancellationToken">Ends the wait for the last chunks.</param>
    /// <returns>The content. Its bytes are an array of their own. If it has no number, nothing is left to dispose.</returns>
    public async ValueTask<ReceivedContent> FinishAsync(int inMemoryMax, CancellationToken cancellationToken)
    {
        byte[] hash = _hash.GetHashAndReset();
        _hash.Dispose();
        if (_chunks == 0 && _filled <= inMemoryMax)
        {
            // A batch may have thousands of contents with a few bytes, so none of them keeps a buffer of the pool.
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
        // After the first chunk, the content is known to be large.
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
