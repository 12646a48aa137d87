using Jackdaw.Search.Results;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Search.Lucene.Files;

/// <summary>Counts what this thread reads of the files of an index, from when somebody wants to know until it is disposed.</summary>
/// <remarks>
/// Files are read by windows, a chunk each or a whole small file; each window that was looked into counts once, with all of its bytes. Windows
/// that inputs have open from earlier are opened again (<see cref="PageLease.EndPermanent"/>), so that the count is that of the work and not of
/// what was there by chance. While nobody counts, opening a window costs one look at a field of the thread, and reading in it nothing.
/// </remarks>
internal sealed class ReadMeter : IDisposable
{
    /// <summary>In place of a chunk's number, for a small file, which has none.</summary>
    private const int WholeFile = -1;

    [ThreadStatic]
    private static ReadMeter? s_current;

    private readonly HashSet<(long File, int Chunk)> _windows = [];
    private readonly ReadMeter? _outer;
    private bool _isEnded;

    private ReadMeter(ReadMeter? outer) => _outer = outer;

    /// <summary>The meter of this thread; null when nobody counts.</summary>
    public static ReadMeter? Current => s_current;

    /// <summary>What was read so far.</summary>
    public ReadCount Count { get; private set; }

    /// <summary>Begins to count on this thread, which also disposes it. Meters may lie within each other: the inner one counts.</summary>
    public static ReadMeter Begin()
    {
        PageLease.EndPermanent();
        return s_current = new ReadMeter(s_current);
    }

    /// <summary>A chunk of a file is about to be read.</summary>
    public void NoteChunk(StoredFile file, int chunk, int bytes)
    {
        if (_windows.Add((file.Id, chunk)))
        {
            Count = Count.Plus(new ReadCount(bytes, (PageHeader.SizeOf + bytes + Page.Size - 1) / Page.Size));
        }
    }

    /// <summary>A small file is about to be read.</summary>
    public void NoteFile(StoredFile file, int bytes)
    {
        if (_windows.Add((file.Id, WholeFile)))
        {
            Count = Count.Plus(new ReadCount(bytes, 0));
        }
    }

    public void Dispose()
    {
        if (!_isEnded)
        {
            _isEnded = true;
            s_current = _outer;
        }
    }
}
