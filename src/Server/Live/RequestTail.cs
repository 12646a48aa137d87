using System.Net;

namespace Jackdaw.Server.Live;

/// <summary>The requests that ended just now, while somebody looks at them. Any thread.</summary>
internal sealed class RequestTail
{
    /// <summary>Enough for the time between two frames at many thousand requests a second, in a megabyte.</summary>
    private const int EntriesMax = 8192;

    private int _readers;

    public Tail<RequestEntry> Entries { get; } = new(EntriesMax);

    /// <summary>Whether requests have to be added.</summary>
    public bool IsWatched => Volatile.Read(ref _readers) > 0;

    public void AddReaders(int added) => Interlocked.Add(ref _readers, added);
}

/// <summary>One request that has been answered, or has become a websocket.</summary>
internal readonly record struct RequestEntry(
    DateTimeOffset Ended, string Database, string Method, string Path, string Parameters, int Status, TimeSpan Duration, string Caller, IPAddress? Address);
