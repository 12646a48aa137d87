using System.Net;

namespace Jackdaw.Client.Http;

/// <summary>A stream as the content of a request. The stream stays open. If it can seek, each attempt sends it from the position where it was at
/// first.</summary>
internal sealed class OpenStreamContent : HttpContent
{
    private readonly Stream _stream;
    private readonly long? _start;

    /// <param name="start">The position of the stream when it was given; null if it cannot seek and can be sent only once.</param>
    public OpenStreamContent(Stream stream, long? start) => (_stream, _start) = (stream, start);

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) => SerializeToStreamAsync(stream, context, default);

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        Rewind();
        return _stream.CopyToAsync(stream, cancellationToken);
    }

    protected override void SerializeToStream(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        Rewind();
        _stream.CopyTo(stream);
    }

    protected override bool TryComputeLength(out long length)
    {
        length = _start is { } start ? _stream.Length - start : 0;
        return _start is not null;
    }

    private void Rewind()
    {
        if (_start is { } start)
        {
            _stream.Position = start;
        }
    }
}
