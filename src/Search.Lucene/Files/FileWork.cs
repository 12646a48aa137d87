using Lucene.Net.Store;

namespace Jackdaw.Search.Lucene.Files;

/// <summary>Long work on files that pauses from time to time, so that other work gets its turn. A thread does at most one such work.</summary>
internal abstract class FileWork
{
    [ThreadStatic]
    private static FileWork? s_current;

    /// <summary>The work of this thread; null when the thread does not pause.</summary>
    public static FileWork? Current
    {
        get => s_current;
        protected set => s_current = value;
    }

    /// <summary>Is called before a file is written.</summary>
    public abstract void NoteOutput(string name, IOContext context);

    /// <summary>Changes trees of the storage, on the thread that has the transaction.</summary>
    /// <param name="change">The change, which writes about <paramref name="bytes"/> bytes.</param>
    public abstract void Write(int bytes, Action change);

    /// <summary>Is called between two chunks. The work may wait here, and continue in another transaction under another lease.</summary>
    public abstract void MayPause();
}
