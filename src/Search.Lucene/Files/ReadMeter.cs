using Jackdaw.Search.Results;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Search.Lucene.Files;

/// <summary>Counts the reads of this thread from the files of an index, from <see cref="Begin"/> until it is disposed.</summary>
/// <remarks>
/// Files are read through windows; a window is a chunk or a whole small file. Each window that was used counts once, with all of its bytes. Windows that
/// inputs opened earlier are opened again (<see cref="PageLease.EndPermanent"/>), so that the count does not depend on earlier searches. While nobody counts,
/// opening a window reads one more field of the thread, and reading from it costs nothing more.
/// </remarks>
internal sealed class ReadMeter : IDisposable
{
    /// <summary>The number that stands for a small file, which has no chunks.</summary>
    private const int WholeFile = -1;

    [ThreadStatic]
    private static ReadMeter? s_current;

    private readonly HashSet<(long File, int Chunk)> _windows = [];
    private readonly ReadMeter? _outer;
    private bool _isEnded;

    private ReadMeter(ReadMeter? outer) => _outer = outer;

    /// <summary>The meter of this thread; null when there is none.</summary>
    public static ReadMeter? Current => s_current;

    /// <summary>The reads so far.</summary>
    public ReadCount Count { get; private set; }

    /// <summary>Begins to count on this thread, which also disposes the meter. Meters may be nested; then the inner one counts.</summary>
    public static ReadMeter Begin()
    {
        PageLease.EndPermanent();
        return s_current = new ReadMeter(s_current);
    }

    /// <summary>Is called before a chunk of a file is read.</summary>
    public void NoteChunk(StoredFile file, int chunk, int bytes)
    {
        if (_windows.Add((file.Id, chunk)))
        {
            Count = Count.Plus(new ReadCount(bytes, (PageHeader.SizeOf + bytes + Page.Size - 1) / Page.Size));
        }
    }

    /// <summary>Is called before a small file is read.</summary>
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
