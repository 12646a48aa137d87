using System.Diagnostics;
using BitFaster.Caching.Counters;
using BitFaster.Caching.Lru;
using Jackdaw.Client.Conventions;

namespace Jackdaw.Client.Caching;

/// <summary>Answers of one database, bounded by their number and their bytes. Those that were not read for the longest time leave first.</summary>
/// <remarks>Reads take no lock and allocate nothing. All changes hold one lock, so that the sum of bytes matches the entries. The lock costs
/// nothing compared with the request that came before.</remarks>
internal sealed class AnswerCache
{
    /// <summary>An answer that is larger than this part of the limit is not cached, because it would displace many others.</summary>
    private const int LargestPart = 16;

    /// <summary>The limit of bytes divided by this is the limit of entries: a document with its entry takes at least that many bytes.</summary>
    private const int BytesOfSmallAnswer = 1024;

    /// <summary>The table of the LRU has its full size from the start, 8 bytes for each entry.</summary>
    private const int CountMax = 131_072;

    /// <summary>When the limit is reached, this part of it leaves at once.</summary>
    /// <remarks>The LRU walks over all entries each time it trims. That takes 2 ms for the largest number of entries, which is a microsecond for
    /// each entry that leaves.</remarks>
    private const int TrimParts = 64;

    private readonly Lock _lock = new(); // guards all changes of _answers, _count, _bytes
    private readonly ConcurrentLru<AnswerKey, CachedAnswer>? _answers;
    private readonly ChangeTracker _tracker;
    private readonly long _bytesMax;
    private readonly Counter _served = new();
    private readonly Counter _servedStale = new();
    private readonly Counter _revalidated = new();
    private readonly Counter _missed = new();
    private int _count;
    private long _bytes;

    /// <param name="bytesMax">With 0, nothing is cached.</param>
    public AnswerCache(long bytesMax, ChangeTracker tracker)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytesMax);
        _tracker = tracker;
        _bytesMax = bytesMax;
        if (bytesMax > 0)
        {
            _answers = new((int)Math.Clamp(bytesMax / BytesOfSmallAnswer, LargestPart, CountMax));
            _answers.Events.Value!.ItemRemoved += (_, removed) => Count(-1, -SizeOf(removed.Key, removed.Value!));
            _answers.Events.Value!.ItemUpdated += (_, updated) => Count(0, SizeOf(updated.Key, updated.NewValue!) - SizeOf(updated.Key, updated.OldValue!));
        }
    }

    public AnswerCacheStatistics Statistics => new(
        Volatile.Read(ref _count), Volatile.Read(ref _bytes), _served.Count(), _servedStale.Count(), _revalidated.Count(), _missed.Count());

    /// <summary>Whether there is an answer, and whether it can be given without a request.</summary>
    /// <param name="scope">Null if the reader is not in a scope and always asks the server.</param>
    /// <param name="answer">Null only for <see cref="CacheDecision.Miss"/>.</param>
    public CacheDecision Decide(in AnswerKey key, AggressiveCacheScope? scope, out CachedAnswer? answer)
    {
        if (_answers is null || !_answers.TryGet(key, out answer) || answer.Answer.IsUnreadable)
        {
            answer = null;
            _missed.Increment();
            return CacheDecision.Miss;
        }

        CacheDecision decision = Decide(answer, scope);
        Counter counter = decision switch
        {
            CacheDecision.Serve => _served,
            CacheDecision.ServeAndRefresh => _servedStale,
            _ => _revalidated,
        };
        counter.Increment();
        return decision;
    }

    /// <summary>An answer that can be given without a request. Null says nothing, and is not counted: then a decision is needed.</summary>
    public CachedAnswer? FindFresh(in AnswerKey key, AggressiveCacheScope scope)
    {
        if (_answers is null || !_answers.TryGet(key, out CachedAnswer? answer) || answer.Answer.IsUnreadable || Decide(answer, scope) != CacheDecision.Serve)
        {
            return null;
        }

        _served.Increment();
        return answer;
    }

    /// <summary>Caches an answer, unless a later one is in the cache already.</summary>
    /// <returns>False if it was not cached, because of its status, its size, or a later answer.</returns>
    public bool Put(in AnswerKey key, CachedAnswer answer)
    {
        int size = SizeOf(key, answer);
        if (_answers is null || size > _bytesMax / LargestPart || answer.Status is not (200 or 404))
        {
            return false;
        }

        lock (_lock)
        {
            bool isKnown = _answers.TryGet(key, out CachedAnswer? known);
            if (isKnown && known!.Stamp > answer.Stamp)
            {
                return false;
            }

            // The event of an update counts the update. Nothing else counts an addition.
            if (!isKnown)
            {
                Count(1, size);
            }

            _answers.AddOrUpdate(key, answer);
            TrimTo(_bytesMax);
        }

        return true;
    }

    /// <summary>Removes the answers that were not read for the longest time, until the others have at most the given number of bytes.</summary>
    public void Trim(long bytesMax)
    {
        lock (_lock)
        {
            TrimTo(bytesMax);
        }
    }

    private static int SizeOf(in AnswerKey key, CachedAnswer answer) => key.Size + answer.Size;

    private CacheDecision Decide(CachedAnswer answer, AggressiveCacheScope? scope)
    {
        if (scope is null || scope.Duration == TimeSpan.Zero)
        {
            return CacheDecision.Revalidate;
        }

        if (_tracker.StateOf(answer, scope, out long oldSince) == AnswerState.Fresh)
        {
            return CacheDecision.Serve;
        }

        bool isBehind = scope.Mode == AggressiveCacheMode.BackgroundRefresh
            && _tracker.Clock.Now - oldSince < _tracker.Clock.Units(scope.MaxStaleness) && oldSince > 0;
        return isBehind ? CacheDecision.ServeAndRefresh : CacheDecision.Revalidate;
    }

    private void TrimTo(long bytesMax)
    {
        Debug.Assert(_lock.IsHeldByCurrentThread, "the sum of bytes matches the entries only if one thread at a time changes them");
        while (_bytes > bytesMax && _answers is not null)
        {
            long excess = _bytes - bytesMax + (bytesMax / TrimParts);
            long entries = (excess * _count / _bytes) + 1;
            _answers.Policy.Eviction.Value!.Trim((int)Math.Min(entries, _count));
        }
    }

    private void Count(int entries, int bytes)
    {
        _count += entries;
        Volatile.Write(ref _bytes, _bytes + bytes);
    }
}

/// <summary>What a cache of answers holds and has done.</summary>
/// <param name="Count">Answers.</param>
/// <param name="Bytes">Bytes of memory.</param>
/// <param name="Served">Reads that were answered without a request.</param>
/// <param name="ServedStale">Reads that got an answer which was renewed in the background.</param>
/// <param name="Revalidated">Reads that had to ask whether an answer is still valid.</param>
/// <param name="Missed">Reads for which there was no answer.</param>
internal readonly record struct AnswerCacheStatistics(int Count, long Bytes, long Served, long ServedStale, long Revalidated, long Missed);
