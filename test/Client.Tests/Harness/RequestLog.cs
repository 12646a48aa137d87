using System.Collections.Concurrent;

namespace Jackdaw.Client.Tests.Harness;

/// <summary>Keeps what was sent and answered.</summary>
internal sealed class RequestLog(HttpMessageHandler connections) : DelegatingHandler(connections)
{
    private readonly ConcurrentQueue<LoggedRequest> _all = new();

    public IReadOnlyList<LoggedRequest> All => [.. _all];

    public LoggedRequest Last => _all.Last();

    public void Clear() => _all.Clear();

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        string body = request.Content is null ? "" : await request.Content.ReadAsStringAsync(cancellationToken);
        HttpResponseMessage response = await base.SendAsync(request, cancellationToken);
        await response.Content.LoadIntoBufferAsync(cancellationToken);
        Add(request, body, await response.Content.ReadAsStringAsync(cancellationToken));
        return response;
    }

    protected override HttpResponseMessage Send(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        string body = request.Content is null ? "" : new StreamReader(request.Content.ReadAsStream(cancellationToken)).ReadToEnd();
        HttpResponseMessage response = base.Send(request, cancellationToken);
        var copy = new MemoryStream();
        using (Stream answer = response.Content.ReadAsStream(cancellationToken))
        {
            answer.CopyTo(copy);
        }

        HttpContent old = response.Content;
        response.Content = new ByteArrayContent(copy.ToArray());
        foreach ((string name, IEnumerable<string> values) in old.Headers)
        {
            response.Content.Headers.TryAddWithoutValidation(name, values);
        }

        Add(request, body, System.Text.Encoding.UTF8.GetString(copy.ToArray()));
        return response;
    }

    private void Add(HttpRequestMessage request, string body, string answer) =>
        _all.Enqueue(new LoggedRequest(request.Method.Method, request.RequestUri!.PathAndQuery, body, answer));
}

internal sealed record LoggedRequest(string Method, string Path, string Body, string Answer);
