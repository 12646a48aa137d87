using System.Net;

namespace Jackdaw.Client.Http;

/// <summary>A stream as the content of a request, which stays open. One that can seek is sent from where it stood each time.</summary>
internal sealed class OpenStreamContent : HttpContent
{
    private readonly Stream _stream;
    private readonly long? _start;

    /// <param name="start">Where it stood when it was given; null: it cannot seek, and is sent once.</param>
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
