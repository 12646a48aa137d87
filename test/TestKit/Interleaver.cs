using System.Diagnostics;

namespace Jackdaw.TestKit;

/// <summary>Lets threads run one at a time, from stop to stop, in an order that its caller chooses. Threads of the code under test that come
/// to a stop take part as well.</summary>
/// <remarks>A thread that waits for another one is seen by its state; it takes part again when it comes to its next stop. What is chosen
/// between two stops is the system's, so the same choices mostly, not always, give the same run.</remarks>
public sealed class Interleaver
{
    private const int QuietMicroseconds = 50;
    private const int QuietWhenBlockedMicroseconds = 400;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20);

    private readonly Lock _lock = new(); // guards what follows
    private readonly List<Member> _members = [];
    private bool _isOver;

    /// <summary>What the threads of <see cref="Add"/> ended with.</summary>
    public List<Exception> Failures { get; } = [];

    /// <summary>Called before each choice, while all threads stand still.</summary>
    public Action? AtRest { get; set; }

    /// <summary>False when only added threads take part, and the others run freely.</summary>
    public bool TakesOthers { get; set; } = true;

    /// <summary>Adds a thread, which stands at its beginning.</summary>
    /// <param name="name">Of the thread.</param>
    /// <param name="body">What it does.</param>
    /// <param name="isWhole">True: it comes to no more stops than that one.</param>
    public void Add(string name, Action body, bool isWhole = false)
    {
        var thread = new Thread(() => Run(body)) { IsBackground = true, Name = name };
        _members.Add(new Member(thread) { IsOwn = true, IsWhole = isWhole });
        thread.Start();
    }

    /// <summary>A thread comes to a stop, and stands there until it is chosen.</summary>
    public void Stop()
    {
        Member? member;
        lock (_lock)
        {
            member = _members.Find(known => known.Thread == Thread.CurrentThread);
            if (_isOver || member is { IsWhole: true, HasBegun: true } || (member is null && !TakesOthers))
            {
                return;
            }

            if (member is null)
            {
                _members.Add(member = new Member(Thread.CurrentThread));
            }

            member.IsAtStop = true;
        }

        member.Gate.Wait();
        lock (_lock)
        {
            member.IsReleased = false; // from here on its state tells whether it waits
        }
    }

    /// <summary>Runs until all added threads have ended; then those that are left run freely.</summary>
    /// <param name="choose">Gets the names of the threads at stops and of the last one that ran; says who goes on, or null to wait for more.</param>
    public void RunAll(Func<List<string>, string?, string?> choose)
    {
        string? last = null;
        long started = Stopwatch.GetTimestamp();
        try
        {
            while (WaitUntilQuiet() is { } ready)
            {
                if (ready.Count > 0)
                {
                    AtRest?.Invoke();
                }

                string? next = ready.Count > 0 ? choose(ready, last) : null;
                if (next is not null)
                {
                    Release(next);
                    (last, started) = (next, Stopwatch.GetTimestamp());
                }
                else if (Stopwatch.GetElapsedTime(started) > s_patience)
                {
                    throw new TimeoutException($"no thread comes to a stop: {string.Join(", ", _members.Where(member => member.Thread.IsAlive))}");
                }
            }
        }
        finally
        {
            FreeAll();
        }
    }

    private void Run(Action body)
    {
        Stop();
        try
        {
            body();
        }
        catch (Exception e)
        {
            lock (_lock)
            {
                Failures.Add(e);
            }
        }
    }

    /// <summary>The threads at stops, once no other one runs; null when all added threads have ended.</summary>
    private List<string>? WaitUntilQuiet()
    {
        long since = Stopwatch.GetTimestamp();
        while (true)
        {
            lock (_lock)
            {
                bool isBlocked = false;
                foreach (Member member in _members)
                {
                    bool isRunning = !member.IsAtStop && member.Thread.IsAlive && (member.IsReleased || !member.IsWaiting);
                    since = isRunning ? Stopwatch.GetTimestamp() : since;
                    isBlocked |= member.IsOwn && !member.IsAtStop && member.Thread.IsAlive;
                }

                if (Stopwatch.GetElapsedTime(since).TotalMicroseconds > (isBlocked ? QuietWhenBlockedMicroseconds : QuietMicroseconds))
                {
                    bool isOver = !_members.Exists(member => member.IsOwn && member.Thread.IsAlive);
                    return isOver ? null : [.. _members.Where(member => member.IsAtStop).Select(member => member.Name)];
                }
            }

            Thread.Yield();
        }
    }

    private void Release(string name)
    {
        lock (_lock)
        {
            Member member = _members.Find(member => member.Name == name)!;
            (member.IsAtStop, member.IsReleased, member.HasBegun) = (false, true, true);
            member.Gate.Release();
        }
    }

    private void FreeAll()
    {
        lock (_lock)
        {
            _isOver = true;
            foreach (Member member in _members.Where(member => member.IsAtStop))
            {
                member.IsAtStop = false;
                member.Gate.Release();
            }
        }
    }

    private sealed class Member(Thread thread)
    {
        public Thread Thread => thread;

        public string Name => thread.Name ?? "";

        public SemaphoreSlim Gate { get; } = new(0);

        public bool IsOwn { get; init; }

        public bool IsWhole { get; init; }

        public bool HasBegun { get; set; }

        public bool IsAtStop { get; set; }

        public bool IsReleased { get; set; }

        public bool IsWaiting => (thread.ThreadState & System.Threading.ThreadState.WaitSleepJoin) != 0;

        public override string ToString() => $"{Name} ({(IsAtStop ? "at a stop" : thread.ThreadState)})";
    }
}
