using System.Globalization;
using System.Net;
using System.Threading.Channels;
using Microsoft.AspNetCore.Connections;

namespace Jackdaw.TestServer.Transport;

/// <summary>Gives Kestrel connections that are made in this process: no port is opened. Safe for concurrent use.</summary>
internal sealed class MemoryTransport : IConnectionListenerFactory, IConnectionListener
{
    /// <summary>Kestrel binds to addresses of networks only; nothing listens at this one.</summary>
    public const string Host = "127.0.0.1";

    private readonly Channel<ConnectionContext> _accepted = Channel.CreateUnbounded<ConnectionContext>();
    private readonly HashSet<MemoryConnection> _open = []; // its own lock
    private bool _isCut; // under the lock of _open
    private long _lastNumber;

    public EndPoint EndPoint { get; private set; } = new IPEndPoint(IPAddress.Loopback, 0);

    /// <summary>Connects a client.</summary>
    /// <exception cref="IOException">The server no longer accepts connections.</exception>
    public Stream Connect()
    {
        string id = Interlocked.Increment(ref _lastNumber).ToString(CultureInfo.InvariantCulture);
        var connection = new MemoryConnection(id, Remove);
        lock (_open)
        {
            if (_isCut || !_accepted.Writer.TryWrite(connection))
            {
                throw new IOException("The test server is no longer running.");
            }

            _open.Add(connection);
        }

        return connection.Client;
    }

    /// <summary>Ends all connections and accepts no more.</summary>
    public void Cut()
    {
        MemoryConnection[] open;
        lock (_open)
        {
            _isCut = true;
            open = [.. _open];
        }

        foreach (MemoryConnection connection in open)
        {
            connection.Cut("The test server was stopped.");
        }
    }

    public ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default)
    {
        EndPoint = endpoint;
        return new ValueTask<IConnectionListener>(this);
    }

    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
    {
        while (await _accepted.Reader.WaitToReadAsync(cancellationToken).ConfigureAwait(false))
        {
            if (_accepted.Reader.TryRead(out ConnectionContext? connection))
            {
                return connection;
            }
        }

        return null;
    }

    public ValueTask UnbindAsync(CancellationToken cancellationToken = default)
    {
        _accepted.Writer.TryComplete();
        return ValueTask.CompletedTask;
    }

    public ValueTask DisposeAsync() => UnbindAsync();

    private void Remove(MemoryConnection connection)
    {
        lock (_open)
        {
            _open.Remove(connection);
        }
    }
}
