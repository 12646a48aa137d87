using System.Buffers;
using System.IO.Pipelines;

namespace Jackdaw.TestServer.Transport;

/// <summary>The client's end of a connection. As for a socket, there is one reader and one writer at a time. It may be cut at any time.</summary>
/// <param name="closed">Called once, when this end is closed or cut.</param>
internal sealed class ConnectionStream(PipeReader answers, PipeWriter requests, Action closed) : Stream
{
    private readonly Lock _lock = new(); // held for each step at the pipes, so that they are not completed within one
    private string? _end; // why it can no longer be used

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Ends the connection. Reads and writes then throw an error that says why.</summary>
    public void Cut(string reason)
    {
        lock (_lock)
        {
            if (_end is not null)
            {
                return;
            }

            _end = reason;
            answers.CancelPendingRead();
            requests.CancelPendingFlush();
            answers.Complete();
            requests.Complete();
        }

        closed();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        ReadResult result = await Begin(() => answers.ReadAsync(cancellationToken)).ConfigureAwait(false);
        lock (_lock)
        {
            ThrowIfEnded();
            int count = (int)Math.Min(result.Buffer.Length, buffer.Length);
            ReadOnlySequence<byte> taken = result.Buffer.Slice(0, count);
            taken.CopyTo(buffer.Span);
            answers.AdvanceTo(taken.End);
            return count; // 0 for an empty buffer: then it has waited until there is something
        }
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        FlushResult result = await Begin(() => requests.WriteAsync(buffer, cancellationToken)).ConfigureAwait(false);
        lock (_lock)
        {
            ThrowIfEnded();
        }

        if (result.IsCompleted)
        {
            throw new IOException("The server has closed the connection.");
        }
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count) => ReadAsync(buffer.AsMemory(offset, count)).AsTask().GetAwaiter().GetResult();

    public override void Write(byte[] buffer, int offset, int count) => WriteAsync(buffer.AsMemory(offset, count)).AsTask().GetAwaiter().GetResult();

    public override void Flush()
    {
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            Cut("The connection was closed by the client.");
        }

        base.Dispose(disposing);
    }

    // A pipe that was completed during a wait throws an exception that does not say why.
    private async ValueTask<T> Begin<T>(Func<ValueTask<T>> step)
    {
        ValueTask<T> begun;
        lock (_lock)
        {
            ThrowIfEnded();
            begun = step();
        }

        try
        {
            return await begun.ConfigureAwait(false);
        }
        catch (InvalidOperationException) when (Volatile.Read(ref _end) is { } reason)
        {
            throw new IOException(reason);
        }
    }

    private void ThrowIfEnded()
    {
        if (_end is { } reason)
        {
            throw new IOException(reason);
        }
    }
}
