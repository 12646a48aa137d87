using Jackdaw.Server.Http.Bodies;

namespace Jackdaw.Server.Tests.Http.Bodies;

/// <summary>Which failures of reading a body are the fault of its sender, and answered 400.</summary>
public sealed class UndecodableBodyTests
{
    [Fact]
    public void IsUndecodable_FailureOfADecoder_IsTheFaultOfTheSender()
    {
        Assert.True(RequestBodyReader.IsUndecodable(new InvalidDataException("not gzip")));
        Assert.True(RequestBodyReader.IsUndecodable(new EndOfStreamException("within a frame")));
    }

    /// <summary>A mistake of ours answered as one of the client would never be found.</summary>
    [Fact]
    public void IsUndecodable_FailureThatIsNoDecodingError_IsNot()
    {
        Assert.False(RequestBodyReader.IsUndecodable(new InvalidOperationException("a reader that is used twice")));
        Assert.False(RequestBodyReader.IsUndecodable(new ObjectDisposedException("stream")));
        Assert.False(RequestBodyReader.IsUndecodable(new IOException("connection lost")));
    }
}
