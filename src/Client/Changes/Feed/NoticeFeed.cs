using System.Net.WebSockets;
using System.Security.Cryptography;
using Jackdaw.Client.Exceptions;

namespace Jackdaw.Client.Changes.Feed;

/// <summary>Keeps a connection to the notices of a database. It connects, and connects again after a loss, until it is disposed.</summary>
internal sealed class NoticeFeed(FeedSettings settings, WatchTable watches, INoticeSink sink) : IAsyncDisposable
{
    private static readonly TimeSpan s_connectTime = TimeSpan.FromSeconds(15);

    /// <summary>A connection that lasted this long was a good one. After shorter connections the pauses grow.</summary>
    private static readonly TimeSpan s_steadyTime = TimeSpan.FromSeconds(10);

    private readonly CancellationTokenSource _stopping = new(); // not disposed: late attempts still read it
    private readonly Backoff _backoff = new(settings.Jitter ?? new Random(RandomNumberGenerator.GetInt32(int.MaxValue)));
    private readonly Lock _lock = new(); // guards what follows
    private Task? _running;
    private int _server; // the loop only

    /// <summary>Begins to connect, once.</summary>
    public void Start()
    {
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_stopping.IsCancellationRequested, typeof(IDatabaseChanges));
            if (_running is null)
            {
                // The loop outlives the caller that starts it, and must not keep the caller's execution context.
                using AsyncFlowControl alone = ExecutionContext.SuppressFlow();
                _running = Task.Run(RunAsync);
            }
        }
    }

    /// <summary>Ends the connection and the loop.</summary>
    public async ValueTask DisposeAsync()
    {
        Task? running;
        lock (_lock)
        {
            running = _running;
            _ = _stopping.CancelAsync();
        }

        watches.Close(new ObjectDisposedException(nameof(IDatabaseChanges)));
        if (running is not null)
        {
            await running.ConfigureAwait(false);
        }
    }

    private async Task RunAsync()
    {
        while (!_stopping.IsCancellationRequested)
        {
            await RunOnceAsync().ConfigureAwait(false);
            await Task.Delay(_backoff.Next(), settings.Time, _stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private async Task RunOnceAsync()
    {
        Uri address = settings.AddressOf(_server);
        NoticeConnection? connection = null;
        Exception why;
        try
        {
            using WebSocket socket = await ConnectAsync(address).ConfigureAwait(false);
            settings.Log.Connected(address);
            connection = new NoticeConnection(socket, watches, sink, settings.Time);
            why = await connection.RunAsync(_stopping.Token).ConfigureAwait(false);
        }
        catch (Exception failed)
        {
            why = failed;
        }

        bool wasConnected = connection is { WasConnected: true };
        if (wasConnected && settings.Time.GetElapsedTime(connection!.ConnectedAt) >= s_steadyTime)
        {
            _backoff.Reset();
        }
        else
        {
            _server++;
        }

        DocumentDatabaseException described = Describe(why, address);
        if (!_stopping.IsCancellationRequested && wasConnected)
        {
            settings.Log.Lost(address, why.Message);
        }
        else if (!_stopping.IsCancellationRequested)
        {
            settings.Log.NotConnected(address, why.Message);
        }

        Tell(wasConnected, described);
    }

    private void Tell(bool wasConnected, DocumentDatabaseException why)
    {
        watches.End(why);
        try
        {
            if (wasConnected)
            {
                sink.Lost();
            }
        }
        catch (Exception wrong)
        {
            why = new DocumentDatabaseException($"A reader of the notices failed: {wrong.Message}", wrong);
        }

        if (!_stopping.IsCancellationRequested)
        {
            sink.Failed(why);
        }
    }

    private async Task<WebSocket> ConnectAsync(Uri address)
    {
        using var late = new CancellationTokenSource(s_connectTime, settings.Time);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(_stopping.Token, late.Token);
        Task<WebSocket> connecting = settings.Connect(address, limit.Token).AsTask();
        try
        {
            return await connecting.WaitAsync(limit.Token).ConfigureAwait(false);
        }
        catch (Exception failed)
        {
            _ = DropAsync(connecting);
            throw late.IsCancellationRequested ? new TimeoutException($"It did not answer within {s_connectTime.TotalSeconds} seconds.", failed) : failed;
        }
    }

    // Disposes the socket of an attempt that was given up, whenever the attempt ends.
    private static async Task DropAsync(Task<WebSocket> connecting)
    {
        await ((Task)connecting).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (connecting.IsCompletedSuccessfully)
        {
            (await connecting.ConfigureAwait(false)).Dispose();
        }
    }

    private static DocumentDatabaseException Describe(Exception why, Uri address) =>
        new($"Changes of {address} are not reported at present: {why.Message}", why)
        {
            RequestUri = address,
            StatusCode = (why as DocumentDatabaseException)?.StatusCode ?? 0,
        };
}
