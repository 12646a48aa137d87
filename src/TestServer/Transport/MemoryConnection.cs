using System.IO.Pipelines;
using System.Net;
using Microsoft.AspNetCore.Connections;

namespace Jackdaw.TestServer.Transport;

/// <summary>The server's end of a connection over two pipes; <see cref="Client"/> is the other end.</summary>
/// <remarks>
/// It ends in one of three ways: the client disposes its end, the server disposes this one, or either is cut. Only the client's ends of the pipes
/// are
/// completed by a cut, under a lock that the client takes for each step: the server's ends belong to Kestrel, which may use them at any time.
/// </remarks>
internal sealed class MemoryConnection : DefaultConnectionContext
{
    /// <summary>Bytes that wait in one direction before the writer waits: what Kestrel takes from sockets.</summary>
    private const int WaitingBytesMax = 1 << 20;

    private readonly DuplexPipe _pipes;
    private readonly Action<MemoryConnection> _ended;
    private readonly CancellationTokenSource _closed = new(); // never disposed: either end may close last

    /// <param name="id">For logs and traces.</param>
    /// <param name="ended">Called when the server has ended the connection.</param>
    public MemoryConnection(string id, Action<MemoryConnection> ended)
        : base(id)
    {
        var options = new PipeOptions(
            pauseWriterThreshold: WaitingBytesMax, resumeWriterThreshold: WaitingBytesMax / 2, useSynchronizationContext: false);
        var requests = new Pipe(options);
        var answers = new Pipe(options);
        _ended = ended;
        _pipes = new DuplexPipe(requests.Reader, answers.Writer);
        Transport = _pipes;
        Client = new ConnectionStream(answers.Reader, requests.Writer, closed: () => _ = _closed.CancelAsync());
        ConnectionClosed = _closed.Token;
        LocalEndPoint = RemoteEndPoint = new IPEndPoint(IPAddress.Loopback, 0);
    }

    /// <summary>The client's end.</summary>
    public ConnectionStream Client { get; }

    /// <summary>Ends the connection at once: the client gets an error.</summary>
    public void Cut(string reason) => Client.Cut(reason);

    public override void Abort(ConnectionAbortedException abortReason) => Cut($"The server has ended the connection: {abortReason.Message}");

    public override async ValueTask DisposeAsync()
    {
        await _pipes.Input.CompleteAsync().ConfigureAwait(false);
        await _pipes.Output.CompleteAsync().ConfigureAwait(false);
        _ended(this);
    }

    private sealed record DuplexPipe(PipeReader Input, PipeWriter Output) : IDuplexPipe;
}
