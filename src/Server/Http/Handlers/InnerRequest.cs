using Jackdaw.Documents.Answers;
using Jackdaw.Server.Http.Answers;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;
using Microsoft.AspNetCore.Http.Features;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>A request within another one. Runs the method of its route as if it had come alone, and stores the answer.</summary>
internal static class InnerRequest
{
    /// <summary>Checks the access of the caller, and runs a method of a route.</summary>
    /// <param name="outer">The request that contains it, with its caller and its database.</param>
    /// <param name="body">Empty; receives the body, which is JSON.</param>
    /// <exception cref="RequestRefusedException">The answer is not JSON.</exception>
    public static async ValueTask<ReadAnswer> RunAsync(
        RequestContext outer, MultiGetRequest request, RouteMethod method, ResponseBuffer body)
    {
        var response = new HttpResponseFeature();
        var context = new RequestContext(outer.Server);
        context.Begin(FeaturesOf(outer, request, response, body));
        try
        {
            context.Caller = outer.Caller;
            context.Database = outer.Database;
            await method.Run(context, outer.Database.Name).ConfigureAwait(false);
            await context.Response.CompleteAsync().ConfigureAwait(false);
            string? type = context.Response.ContentType;
            return body.Length == 0 || type?.StartsWith("application/json", StringComparison.Ordinal) == true
                ? new ReadAnswer(response.StatusCode, context.Response.Headers.ETag)
                : throw new RequestRefusedException(Problem.Argument(
                    $"{request.Method} {request.Url} answers with {type}, which cannot be part of a multi_get; send it alone."));
        }
        finally
        {
            context.End();
        }
    }

    private static FeatureCollection FeaturesOf(
        RequestContext outer, MultiGetRequest request, HttpResponseFeature response, ResponseBuffer body)
    {
        var features = new FeatureCollection();
        features.Set<IHttpRequestFeature>(new HttpRequestFeature
        {
            Method = request.Method,
            Path = request.Url,
            QueryString = request.Query,
            Headers = HeadersOf(request),
            Body = new MemoryStream(request.Content.ToArray(), writable: false),
        });
        features.Set(outer.Features.Get<IHttpConnectionFeature>());
        features.Set<IHttpResponseFeature>(response);
        features.Set<IHttpResponseBodyFeature>(new StreamResponseBodyFeature(new BufferStream(body)));
        features.Set<IHttpRequestLifetimeFeature>(new HttpRequestLifetimeFeature { RequestAborted = outer.Aborted });
        return features;
    }

    private static HeaderDictionary HeadersOf(MultiGetRequest request)
    {
        var headers = new HeaderDictionary();
        foreach ((string name, string value) in request.Headers)
        {
            headers[name] = value;
        }

        headers.ContentLength = request.Content.Length;
        headers.Remove("Content-Encoding"); // the content was part of a decoded body
        return headers;
    }

    /// <summary>Writes into a buffer.</summary>
    private sealed class BufferStream(ResponseBuffer buffer) : Stream
    {
        public override bool CanRead => false;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => buffer.Length;

        public override long Position
        {
            get => buffer.Length;
            set => throw new NotSupportedException();
        }

        public override void Write(byte[] source, int offset, int count) => buffer.Append(source.AsSpan(offset, count));

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> source, CancellationToken cancellationToken = default)
        {
            buffer.Append(source.Span);
            return ValueTask.CompletedTask;
        }

        public override void Flush()
        {
        }

        public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public override int Read(byte[] target, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();
    }
}
