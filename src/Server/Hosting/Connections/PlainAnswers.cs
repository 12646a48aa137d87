using System.IO.Pipelines;
using System.Text;
using Microsoft.AspNetCore.Connections;

namespace Jackdaw.Server.Hosting.Connections;

/// <summary>Answers with one sentence to connections that get no further, without TLS and without reading a request.</summary>
internal static class PlainAnswers
{
    /// <summary>The time in which a client may take the answer and close the connection. Closed at once, the system would throw away an answer beside a
    /// request that was not read.</summary>
    private static readonly TimeSpan s_lingerTime = TimeSpan.FromSeconds(1);

    /// <summary>Tells a client that writes http to a port of https.</summary>
    public static Task SayHttpsAsync(ConnectionContext connection, TimeProvider time) =>
        SendAsync(connection, "400 Bad Request", "This port speaks https only: write https:// instead of http:// in the address.", time);

    /// <summary>Tells a client with a public address that only private ones are served.</summary>
    public static Task SayPrivateAsync(ConnectionContext connection, TimeProvider time) =>
        SendAsync(
            connection, "403 Forbidden",
            "This server is not secured and serves private networks only, and your address is a public one: start it with https:// as its ServerUrl.", time);

    private static async Task SendAsync(ConnectionContext connection, string status, string sentence, TimeProvider time)
    {
        string answer = $"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {sentence.Length + 1}\r\n" +
            $"Connection: close\r\n\r\n{sentence}\n";
        using var limit = new CancellationTokenSource(s_lingerTime, time);
        try
        {
            await connection.Transport.Output.WriteAsync(Encoding.ASCII.GetBytes(answer), limit.Token).ConfigureAwait(false);
            ReadResult read;
            do
            {
                read = await connection.Transport.Input.ReadAsync(limit.Token).ConfigureAwait(false);
                connection.Transport.Input.AdvanceTo(read.Buffer.End);
            }
            while (!read.IsCompleted && !read.IsCanceled);
        }
        catch (Exception failure) when (failure is OperationCanceledException or IOException or ConnectionAbortedException)
        {
            // The client is slow or gone; nobody waits for more.
        }
    }
}
