using Jackdaw.Client.Http;

namespace Jackdaw.Client.Caching;

/// <summary>Renews answers in the background, after readers got them. Each question is asked once at a time. Questions that come in during a
/// request are sent together in the next one.</summary>
/// <remarks>A failed renewal is not repeated by itself. The next reader asks for it again, and after the bounded time of staleness readers ask the
/// server themselves. So an answer that nobody reads is not renewed.</remarks>
internal sealed class BackgroundRefresher : IDisposable
{
    /// <summary>Requests at the same time: with a second one, a slow query does not delay all documents.</summary>
    public const int RequestsMax = 2;

    /// <summary>Questions in one request: the server answers when all of them are done.</summary>
    public const int BatchMax = 64;

    /// <summary>Questions that can wait. When there are more, the next reader asks again.</summary>
    public const int WaitingMax = 4096;

    private static readonly TimeSpan s_pauseMin = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_pauseMax = TimeSpan.FromSeconds(5);

    private readonly AnswerCache _cache;
    private readonly ChangeTracker _tracker;
    private readonly IAnswerSource _source;
    private readonly TaskScheduler _scheduler;
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _lock = new(); // guards what follows
    private readonly Queue<KeptAnswer> _waiting = new();
    private readonly HashSet<AnswerKey> _pending = []; // waiting or in a request
    private int _requests;
    private TimeSpan _pause;
    private long _pausedUntil;

    /// <param name="scheduler">Runs the requests, which are not made on the reader's thread.</param>
    public BackgroundRefresher(AnswerCache cache, ChangeTracker tracker, IAnswerSource source, TaskScheduler? scheduler = null)
    {
        (_cache, _tracker, _source) = (cache, tracker, source);
        _scheduler = scheduler ?? TaskScheduler.Default;
    }

    /// <summary>Questions that wait or are in a request.</summary>
    public int PendingCount
    {
        get
        {
            lock (_lock)
            {
                return _pending.Count;
            }
        }
    }

    /// <summary>Asks for an answer to be renewed soon. It never waits.</summary>
    public void Request(in KeptAnswer kept)
    {
        lock (_lock)
        {
            if (_pending.Count >= WaitingMax || _stop.IsCancellationRequested || _tracker.Clock.Now < _pausedUntil || !_pending.Add(kept.Key))
            {
                return;
            }

            _waiting.Enqueue(kept);
            if (_requests == RequestsMax)
            {
                return;
            }

            _requests++;
        }

        _ = Task.Factory.StartNew(RunAsync, CancellationToken.None, TaskCreationOptions.DenyChildAttach, _scheduler);
    }

    /// <summary>Ends the running requests. Their answers are dropped.</summary>
    public void Dispose()
    {
        _stop.Cancel();
        lock (_lock)
        {
            _waiting.Clear();
        }
    }

    private async Task RunAsync()
    {
        while (TakeBatch() is { } batch)
        {
            bool isDone = false;
            try
            {
                long stamp = _tracker.TakeStamp();
                RenewedAnswer[] outcomes = await _source.RenewAsync(batch, _stop.Token).ConfigureAwait(false);
                isDone = !_stop.IsCancellationRequested;
                for (int i = 0; isDone && i < batch.Length; i++)
                {
                    Apply(batch[i], outcomes[i], stamp);
                }
            }
            catch (Exception) when (!isDone)
            {
                // The server cannot be reached, or refuses the request: readers see the same error when they ask the server themselves.
            }

            End(batch, isDone);
        }
    }

    private KeptAnswer[]? TakeBatch()
    {
        lock (_lock)
        {
            if (_waiting.Count == 0)
            {
                _requests--;
                return null;
            }

            var batch = new KeptAnswer[Math.Min(_waiting.Count, BatchMax)];
            for (int i = 0; i < batch.Length; i++)
            {
                batch[i] = _waiting.Dequeue();
            }

            return batch;
        }
    }

    private void Apply(in KeptAnswer kept, in RenewedAnswer outcome, long stamp)
    {
        if (outcome.Status == 304)
        {
            kept.Answer.Renew(stamp);
        }
        else if (outcome.Body is not null)
        {
            var answer = new RequestAnswer(outcome.Status, outcome.Body, outcome.ETag);
            _cache.Put(kept.Key, new CachedAnswer(answer, outcome.Tags ?? [AnswerTag.Anything], stamp));
        }
    }

    private void End(KeptAnswer[] batch, bool isDone)
    {
        lock (_lock)
        {
            foreach (KeptAnswer kept in batch)
            {
                _pending.Remove(kept.Key);
            }

            // After each error there is a pause, which doubles each time, so that a server in trouble does not get a request for each read.
            _pause = isDone ? TimeSpan.Zero : TimeSpan.FromTicks(Math.Clamp(_pause.Ticks * 2, s_pauseMin.Ticks, s_pauseMax.Ticks));
            _pausedUntil = isDone ? 0 : _tracker.Clock.Now + _tracker.Clock.Units(_pause);
        }
    }
}
