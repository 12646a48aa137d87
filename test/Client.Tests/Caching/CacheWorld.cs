using System.Text;
using Jackdaw.Client.Caching;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Http;

namespace Jackdaw.Client.Tests.Caching;

/// <summary>A server, a client with its cache, and all that is on the way between them. Scripts run step by step, in the order that a chooser says;
/// after each step every promise is checked.</summary>
/// <remarks>A script is a sequence of conditions: it goes on, up to the next one, when the last one holds.</remarks>
internal sealed class CacheWorld : IAnswerSource, IDisposable
{
    private static readonly Func<bool> s_always = () => true;

    private readonly List<(string Name, IEnumerator<Func<bool>> Script, Func<bool> IsReady)> _scripts = [];
    private readonly Queue<ModelServer.Notice> _notices = new();
    private readonly List<(TimeSpan At, int Known)> _known = [];
    private readonly List<(int At, AnswerTag[] Tags)> _written = []; // own writes whose outcome is known
    private readonly BackgroundRefresher _refresher;
    private readonly HashSet<AnswerKey> _refreshing = [];

    /// <param name="bytesMax">Of the cache.</param>
    /// <param name="slotBits">A small table: tags share slots, which may cost requests, and never a promise.</param>
    public CacheWorld(long bytesMax = 1 << 20, int slotBits = 8)
    {
        Tracker = new(Clock, slotBits);
        Cache = new(bytesMax, Tracker);
        _refresher = new(Cache, Tracker, this, new InlineScheduler());
    }

    public ModelServer Server { get; } = new();

    public StandingClock Clock { get; } = new();

    public ChangeTracker Tracker { get; }

    public AnswerCache Cache { get; }

    public bool IsConnected { get; private set; }

    /// <summary>The state of the server that every answer without a request must have at least: by notices that were processed.</summary>
    public int Known { get; private set; }

    public List<string> Log { get; } = [];

    public int Served { get; private set; }

    public int ServedStale { get; private set; }

    public int Requests { get; private set; }

    public static AggressiveCacheScope ScopeOf(AggressiveCacheMode mode, TimeSpan? duration = null) =>
        new(null, duration ?? TimeSpan.FromDays(1), mode, TimeSpan.FromSeconds(5));

    public void Add(string name, IEnumerable<Func<bool>> script)
    {
        IEnumerator<Func<bool>> steps = script.GetEnumerator();
        _scripts.Add((name, steps, s_always));
    }

    /// <summary>Runs all scripts to their ends.</summary>
    /// <param name="choose">Gets the number of scripts that can go on, gives one of them.</param>
    public void Run(Func<int, int> choose)
    {
        // Without a context, what awaits a step goes on within it, on this thread.
        SynchronizationContext? context = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(null);
        try
        {
            RunSteps(choose);
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(context);
        }
    }

    public IEnumerable<Func<bool>> Read(string question, AggressiveCacheScope? scope)
    {
        AnswerKey key = ModelServer.KeyOf(question);
        CacheDecision decision = Cache.Decide(key, scope, out CachedAnswer? kept);
        if (decision is CacheDecision.Serve or CacheDecision.ServeAndRefresh)
        {
            CheckServed(question, kept!, decision, scope!);
            if (decision == CacheDecision.ServeAndRefresh)
            {
                _refresher.Request(ModelServer.Kept(key, kept!));
            }

            yield break;
        }

        long stamp = Tracker.TakeStamp();
        int asked = Server.Now;
        Requests++;
        yield return s_always;
        var answer = Server.Answer(question, kept?.ETag);
        yield return s_always;
        Apply(key, kept, answer.Status, answer.Body, answer.ETag, answer.Tags, stamp);
        string text = Encoding.UTF8.GetString(answer.Status == 304 ? kept!.Body.Span : answer.Body);
        Check(Between(question, text, asked, Server.Now), $"a request for {question} gave {text}");
    }

    public IEnumerable<Func<bool>> WriteOfOthers(Action<ModelServer> write)
    {
        write(Server);
        yield break;
    }

    public IEnumerable<Func<bool>> OwnWrite(string id, Action<ModelServer> write, bool knowsCollection = true)
    {
        string[] collections = knowsCollection ? [id[..1].ToUpperInvariant()] : [];
        Tracker.MarkWritten([id], collections);
        yield return s_always;
        write(Server);
        int at = Server.Now;
        yield return s_always;
        Tracker.MarkWritten([id], collections);
        _written.Add((at, [AnswerTag.Document(id), AnswerTag.Collection(id.AsSpan(0, 1)), AnswerTag.AllDocuments]));
    }

    /// <summary>Processes so many notices, each when it has come.</summary>
    public IEnumerable<Func<bool>> Notices(int count)
    {
        for (int i = 0; i < count; i++)
        {
            yield return () => IsConnected && _notices.Count > 0;
            Process();
        }
    }

    public void ProcessAll()
    {
        while (IsConnected && _notices.Count > 0)
        {
            Process();
        }
    }

    public IEnumerable<Func<bool>> Connect()
    {
        // The server's confirmation is on the way before all notices, and is lost with them.
        int confirmed = Server.Now;
        Action<ModelServer.Notice> line = _notices.Enqueue;
        Server.Tell = line;
        yield return s_always;
        if (!ReferenceEquals(Server.Tell, line))
        {
            yield break;
        }

        Tracker.OnConnected();
        (IsConnected, Known) = (true, Math.Max(Known, confirmed));
        NoteKnown();
    }

    public IEnumerable<Func<bool>> Lose()
    {
        // The line breaks before the client knows; what was on it is gone.
        Server.Tell = null;
        _notices.Clear();
        Tracker.OnLost();
        IsConnected = false;
        yield break;
    }

    public IEnumerable<Func<bool>> Evict()
    {
        Cache.Trim(0);
        yield break;
    }

    public IEnumerable<Func<bool>> Pass(TimeSpan time)
    {
        Clock.Advance(time);
        yield break;
    }

    /// <summary>Every read gives what the server would: to be called when all notices were processed.</summary>
    public void CheckAllCurrent(AggressiveCacheScope scope)
    {
        foreach (string question in ModelServer.Questions)
        {
            if (Cache.Decide(ModelServer.KeyOf(question), scope, out CachedAnswer? kept) == CacheDecision.Serve)
            {
                string current = Server.History[Server.Now][question];
                Check(TextOf(kept!) == current, $"at rest, {question} is {TextOf(kept!)} instead of {current}");
            }
        }
    }

    public void Dispose() => _refresher.Dispose();

    async Task<RenewedAnswer[]> IAnswerSource.RenewAsync(IReadOnlyList<KeptAnswer> questions, CancellationToken token)
    {
        foreach (KeptAnswer question in questions)
        {
            Check(_refreshing.Add(question.Key), $"{question.Key} is renewed twice at a time");
        }

        var sent = new TaskCompletionSource<RenewedAnswer[]>();
        Requests++;
        Add("refresh", Refresh(questions, sent));
        return await sent.Task.ConfigureAwait(false);
    }

    private void RunSteps(Func<int, int> choose)
    {
        while (_scripts.Count > 0)
        {
            int[] ready = [.. Enumerable.Range(0, _scripts.Count).Where(i => _scripts[i].IsReady())];
            if (ready.Length == 0)
            {
                throw new InvalidOperationException($"nobody can go on: {string.Join(", ", _scripts.Select(script => script.Name))}");
            }

            int chosen = ready[choose(ready.Length)];
            (string name, IEnumerator<Func<bool>> script, _) = _scripts[chosen];
            Log.Add(name);
            if (script.MoveNext())
            {
                _scripts[chosen] = (name, script, script.Current);
            }
            else
            {
                _scripts.RemoveAt(chosen);
            }
        }
    }

    private IEnumerable<Func<bool>> Refresh(IReadOnlyList<KeptAnswer> questions, TaskCompletionSource<RenewedAnswer[]> sent)
    {
        yield return s_always;
        RenewedAnswer[] answers = [.. questions.Select(question =>
        {
            var answer = Server.Answer(question.Key.PathAndQuery, question.Answer.ETag);
            return answer.Status == 304 ? new RenewedAnswer(304) : new RenewedAnswer(answer.Status, answer.Body, answer.ETag, answer.Tags);
        })];
        yield return s_always;
        _refreshing.ExceptWith(questions.Select(question => question.Key));
        sent.SetResult(answers);
    }

    private void Apply(in AnswerKey key, CachedAnswer? kept, int status, byte[] body, string? etag, AnswerTag[] tags, long stamp)
    {
        if (status == 304)
        {
            kept!.Renew(stamp);
        }
        else
        {
            Cache.Put(key, new CachedAnswer(new RequestAnswer(status, body, etag), tags, stamp));
        }
    }

    private void Process()
    {
        ModelServer.Notice notice = _notices.Dequeue();
        if (notice.Id is not null)
        {
            Tracker.OnDocumentsChanged([notice.Id], [notice.Collection!]);
        }
        else if (notice.Index is not null)
        {
            Tracker.OnIndexChanged(notice.Index);
        }
        else
        {
            Tracker.OnAnythingChanged();
        }

        Known = Math.Max(Known, notice.At);
        NoteKnown();
    }

    private void NoteKnown() => _known.Add((new TimeSpan(Clock.GetTimestamp()), Known));

    private void CheckServed(string question, CachedAnswer answer, CacheDecision decision, AggressiveCacheScope scope)
    {
        string text = TextOf(answer);
        int atLeast = 0;
        switch (scope.Mode)
        {
            case AggressiveCacheMode.TrackChanges:
                Check(IsConnected, $"{question} was served while notices may be missed");
                Check(decision == CacheDecision.Serve, "an old answer was served");
                atLeast = Known;
                break;
            case AggressiveCacheMode.BackgroundRefresh:
                // Stamps run ahead of a standing clock by a unit each.
                TimeSpan bound = new TimeSpan(Clock.GetTimestamp()) - scope.MaxStaleness - TimeSpan.FromMilliseconds(1);
                int oldEnough = _known.Where(known => known.At <= bound).Select(known => known.Known).DefaultIfEmpty(0).Max();
                atLeast = decision == CacheDecision.Serve ? Known : oldEnough;
                break;
            default:
                break;
        }

        bool isAllowed = Enumerable.Range(atLeast, Server.Now - atLeast + 1).Any(at => Server.History[at][question] == text && HasOwnWrites(question, at));
        Check(isAllowed, $"{question} served {text} ({scope.Mode}), which is older than {Server.History[atLeast][question]}, or than an own write");
        Served++;
        ServedStale += decision == CacheDecision.ServeAndRefresh ? 1 : 0;
    }

    private static string TextOf(CachedAnswer answer) => Encoding.UTF8.GetString(answer.Body.Span);

    private bool Between(string question, string text, int first, int last) =>
        Server.History.Skip(first).Take(last - first + 1).Any(state => state[question] == text);

    // Whether no own write after that state is about what the answer shows or reads.
    private bool HasOwnWrites(string question, int at) =>
        !_written.Exists(write => write.At > at && Server.Dependencies[at][question].Intersect(write.Tags).Any());

    private void Check(bool holds, string otherwise)
    {
        if (!holds)
        {
            throw new Xunit.Sdk.XunitException($"{otherwise}; steps: {string.Join(" ", Log)}");
        }
    }

    /// <summary>Runs what the refresher starts at once: the world is one thread.</summary>
    private sealed class InlineScheduler : TaskScheduler
    {
        protected override IEnumerable<Task> GetScheduledTasks() => [];

        protected override void QueueTask(Task task) => TryExecuteTask(task);

        protected override bool TryExecuteTaskInline(Task task, bool taskWasPreviouslyQueued) => TryExecuteTask(task);
    }
}
