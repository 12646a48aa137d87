using System.Net;
using System.Net.Sockets;
using System.Text;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Sessions;

namespace Jackdaw.Client.Tests.Http;

/// <summary>Servers that speak no HTTP, too little or without end: no call hangs, none fails with anything but an error of the client.</summary>
public sealed class HostileSocketTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(1);

    [Theory]
    [InlineData("")]
    [InlineData("hello\r\n\r\n")]
    [InlineData("HTTP/1.1 abc\r\n\r\n")]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"Results\":[")]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}")]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Length: 2199023255552\r\n\r\n{}")]
    [InlineData("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n")]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd")]
    [InlineData("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")]
    [InlineData("HTTP/1.1 200 OK\r\nETag: none\u00ff\"\r\nContent-Length: 2\r\n\r\n{}")]
    public async Task Server_ThatAnswersSomethingElse_IsAnErrorOfTheClient(string answer)
    {
        await using var server = new ScriptedServer((stream, token) => stream.WriteAsync(Encoding.Latin1.GetBytes(answer), token).AsTask());
        await using DocumentStore store = Store(server);
        await Assert.ThrowsAnyAsync<DocumentDatabaseException>(() => LoadAsync(store));
        await Assert.ThrowsAnyAsync<DocumentDatabaseException>(() => LoadBlockingAsync(store));
        await Assert.ThrowsAnyAsync<DocumentDatabaseException>(() => StreamAsync(store, default));
    }

    [Fact]
    public async Task Answer_WithHeadersWithoutEnd_IsAnErrorOfTheClient()
    {
        await using var server = new ScriptedServer((stream, token) =>
            RepeatAsync(stream, "HTTP/1.1 200 OK\r\n", "X-Header: something\r\n", TimeSpan.Zero, token));
        await using DocumentStore store = Store(server);
        await Assert.ThrowsAnyAsync<DocumentDatabaseException>(() => LoadAsync(store));
    }

    [Theory]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")]
    [InlineData("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")]
    [InlineData("HTTP/1.1 200 OK\r\n")]
    [InlineData("")]
    public async Task Answer_ThatDrips_EndsWithTheTimeLimit(string begin)
    {
        string drop = begin.Contains("chunked", StringComparison.Ordinal) ? "1\r\n \r\n"
            : begin.EndsWith("\r\n\r\n", StringComparison.Ordinal) ? " "
            : "X: y\r\n";
        await using var server = new ScriptedServer(
            (stream, token) => RepeatAsync(stream, begin, begin.Length == 0 ? "" : drop, TimeSpan.FromMilliseconds(20), token));
        await using DocumentStore store = Store(server, TimeSpan.FromMilliseconds(400));
        await Assert.ThrowsAsync<RequestTimeoutException>(() => LoadAsync(store));
        await Assert.ThrowsAsync<RequestTimeoutException>(() => LoadBlockingAsync(store));
        if (!begin.EndsWith("\r\n\r\n", StringComparison.Ordinal))
        {
            await Assert.ThrowsAsync<RequestTimeoutException>(() => StreamAsync(store, default).WaitAsync(s_patience));
        }
    }

    [Fact]
    public async Task Stream_ThatDrips_EndsWhenItIsCancelled()
    {
        await using var server = new ScriptedServer((stream, token) => RepeatAsync(
            stream, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\n\n\r\n", TimeSpan.FromMilliseconds(5), token));
        await using DocumentStore store = Store(server);
        using var cancel = new CancellationTokenSource();
        Task streamed = StreamAsync(store, cancel.Token);
        await server.Connected.WaitAsync(s_patience);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => streamed);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Answer_WithoutEnd_EndsAtTheLimitOfItsSize()
    {
        using var handler = new AnsweringHandler(_ => new HttpResponseMessage { Content = new StreamContent(new SpacesWithoutEnd()) });
        await using var store = new DocumentStore("http://127.0.0.1:1", "db1") { MessageHandler = handler };
        store.Initialize();
        Assert.Contains("1073741824 bytes", (await Assert.ThrowsAsync<BadResponseException>(() => LoadAsync(store))).Message, StringComparison.Ordinal);
        BadResponseException line = await Assert.ThrowsAsync<BadResponseException>(() => StreamAsync(store, default));
        Assert.Contains("more than 268435456 bytes", line.Message, StringComparison.Ordinal);
    }

    private static Task LoadAsync(DocumentStore store) => store.OpenAsyncSession().LoadAsync<Order>("orders/1").WaitAsync(s_patience);

    private static Task LoadBlockingAsync(DocumentStore store) => Task.Run(() => store.OpenSession().Load<Order>("orders/1")).WaitAsync(s_patience);

    private static async Task StreamAsync(DocumentStore store, CancellationToken token)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await foreach (StreamResult<Order> _ in session.Advanced.StreamAsync<Order>("orders/", token: token).WithCancellation(token))
        {
        }
    }

    private static DocumentStore Store(ScriptedServer server, TimeSpan? timeout = null)
    {
        var store = new DocumentStore(server.Url, "db1");
        store.Conventions.RequestTimeout = timeout ?? s_patience;
        store.Initialize();
        return store;
    }

    private static async Task RepeatAsync(NetworkStream stream, string begin, string part, TimeSpan pause, CancellationToken token)
    {
        await stream.WriteAsync(Encoding.Latin1.GetBytes(begin), token);
        byte[] drop = Encoding.Latin1.GetBytes(part);
        while (!token.IsCancellationRequested)
        {
            await stream.WriteAsync(drop, token);
            if (pause > TimeSpan.Zero)
            {
                await Task.Delay(pause, token); // the pace is what is tested
            }
        }
    }

    /// <summary>Answers each connection's first request as it is told, then closes it.</summary>
    private sealed class ScriptedServer : IAsyncDisposable
    {
        private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
        private readonly CancellationTokenSource _end = new();
        private readonly Func<NetworkStream, CancellationToken, Task> _answer;
        private readonly Task _accepting;

        public ScriptedServer(Func<NetworkStream, CancellationToken, Task> answer)
        {
            _answer = answer;
            _listener.Start();
            _accepting = AcceptAsync();
        }

        public string Url => $"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}";

        public SemaphoreSlim Connected { get; } = new(0);

        public async ValueTask DisposeAsync()
        {
            await _end.CancelAsync();
            await _accepting;
            _listener.Dispose();
            _end.Dispose();
            Connected.Dispose();
        }

        private async Task AcceptAsync()
        {
            List<Task> all = [];
            try
            {
                while (true)
                {
                    all.Add(ServeAsync(await _listener.AcceptTcpClientAsync(_end.Token)));
                }
            }
            catch (OperationCanceledException)
            {
                await Task.WhenAll(all);
            }
        }

        private async Task ServeAsync(TcpClient client)
        {
            using (client)
            {
                try
                {
                    NetworkStream stream = client.GetStream();
                    byte[] request = new byte[64 * 1024];
                    await stream.ReadAtLeastAsync(request, 1, throwOnEndOfStream: false, _end.Token);
                    Connected.Release();
                    await _answer(stream, _end.Token);
                    client.Client.Shutdown(SocketShutdown.Send);
                    await stream.ReadAtLeastAsync(request, 1, throwOnEndOfStream: false, _end.Token);
                }
                catch (Exception gone) when (gone is OperationCanceledException or IOException or SocketException)
                {
                    // The client has ended the connection.
                }
            }
        }
    }

    private sealed class SpacesWithoutEnd : Stream
    {
        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override int Read(byte[] buffer, int offset, int count)
        {
            buffer.AsSpan(offset, count).Fill((byte)' ');
            return count;
        }

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
