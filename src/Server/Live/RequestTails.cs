using System.Collections.Immutable;
using System.Net;
using Jackdaw.Json;

namespace Jackdaw.Server.Live;

/// <summary>The requests that ended just now, of each database that somebody watches. Any thread.</summary>
internal sealed class RequestTails
{
    /// <summary>Enough for the time between two frames at many thousand requests a second.</summary>
    private const int EntriesMax = 8192;

    /// <summary>The most characters of a path, and of the parameters: an address may have 32 KB.</summary>
    private const int TextMax = 512;

    private readonly Lock _lock = new(); // guards changes of the map and the numbers of readers
    private volatile ImmutableDictionary<string, Watched> _watched = ImmutableDictionary<string, Watched>.Empty;

    /// <summary>Whether nobody watches any database.</summary>
    public bool IsEmpty => _watched.IsEmpty;

    /// <summary>Adds a request, if somebody watches its database.</summary>
    public void Add(RequestEntry entry)
    {
        if (_watched.TryGetValue(entry.Database, out Watched? watched))
        {
            watched.Entries.Add(entry with { Path = ShortText.Of(entry.Path, TextMax), Parameters = ShortText.Of(entry.Parameters, TextMax) });
        }
    }

    /// <summary>Begins to watch a database, until what is returned is disposed. The last who goes takes the entries along.</summary>
    public IDisposable Watch(string database, out Tail<RequestEntry> entries)
    {
        lock (_lock)
        {
            Watched watched = _watched.GetValueOrDefault(database) ?? new Watched();
            watched.Readers++;
            _watched = _watched.SetItem(database, watched);
            entries = watched.Entries;
            return new Reader(this, database);
        }
    }

    private void Leave(string database)
    {
        lock (_lock)
        {
            if (--_watched[database].Readers == 0)
            {
                _watched = _watched.Remove(database);
            }
        }
    }

    private sealed class Watched
    {
        public Tail<RequestEntry> Entries { get; } = new(EntriesMax);

        public int Readers { get; set; }
    }

    private sealed class Reader(RequestTails tails, string database) : IDisposable
    {
        public void Dispose() => tails.Leave(database);
    }
}

/// <summary>One request that has been answered, or has become a websocket.</summary>
internal readonly record struct RequestEntry(
    DateTimeOffset Ended, string Database, string Method, string Path, string Parameters, int Status, TimeSpan Duration, string Caller, IPAddress? Address);
