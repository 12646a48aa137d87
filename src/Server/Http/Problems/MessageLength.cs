namespace Jackdaw.Server.Http.Problems;

/// <summary>Checks the length of a body in headers and chunks, in cases that Kestrel does not refuse itself.</summary>
internal static class MessageLength
{
    // The header into which Kestrel moves the Content-Length of a request that also has a Transfer-Encoding. It reads such a body by its chunks.
    private const string SetAsideContentLength = "X-Content-Length";

    /// <summary>Whether the headers give two lengths. A proxy in front of the server may have used the other one: what
    /// the proxy treats as a body could then be a request here, smuggled into another client's connection.</summary>
    public static bool IsAmbiguous(HttpRequest request)
    {
        IHeaderDictionary headers = request.Headers;
        return headers.TransferEncoding.Count > 0
            && (headers.ContentLength is not null || headers.ContainsKey(SetAsideContentLength));
    }

    public static Problem Ambiguous { get; } = Problem.BadRequest(
        "The request has a Content-Length and a Transfer-Encoding; send only one of them, because they may contradict each other.") with
    {
        CloseConnection = true,
    };

    /// <summary>Whether the body could not be read because a chunk has a size beyond what Kestrel counts with (2 GB).
    /// Kestrel has its own exception for every other mistake in chunks.</summary>
    public static bool IsChunkTooLarge(Exception failure) => failure is IOException { InnerException: OverflowException };

    public static Problem ChunkTooLarge { get; } = Problem.BadRequest(
        "A chunk of the body has a size above 7fffffff (2 GB); send smaller chunks, or a Content-Length.") with
    {
        CloseConnection = true,
    };
}
