using System.IO.Pipelines;

namespace Jackdaw.Client.Tests.Changes;

/// <summary>One end of a connection in memory.</summary>
internal sealed class PipeStream(PipeReader input, PipeWriter output) : Stream
{
    private readonly Stream _input = input.AsStream();
    private readonly Stream _output = output.AsStream();

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Both ends.</summary>
    public static (PipeStream Client, PipeStream Server) Connect()
    {
        var (there, back) = (new Pipe(), new Pipe());
        return (new PipeStream(back.Reader, there.Writer), new PipeStream(there.Reader, back.Writer));
    }

    public override int Read(byte[] buffer, int offset, int count) => _input.Read(buffer, offset, count);

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        _input.ReadAsync(buffer, cancellationToken);

    public override void Write(byte[] buffer, int offset, int count) => _output.Write(buffer, offset, count);

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
        _output.WriteAsync(buffer, cancellationToken);

    public override Task FlushAsync(CancellationToken cancellationToken) => _output.FlushAsync(cancellationToken);

    public override void Flush() => _output.Flush();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        _input.Dispose();
        _output.Dispose();
        base.Dispose(disposing);
    }
}
