using Lucene.Net.Store;

namespace Jackdaw.Search.Lucene.Files;

/// <summary>Long work on files that stops now and then so that others get their turn. A thread does at most one.</summary>
internal abstract class FileWork
{
    [ThreadStatic]
    private static FileWork? s_current;

    /// <summary>The work of this thread; null for all that is done in one go.</summary>
    public static FileWork? Current
    {
        get => s_current;
        protected set => s_current = value;
    }

    /// <summary>A file is about to be written.</summary>
    public abstract void NoteOutput(string name, IOContext context);

    /// <summary>Changes trees of the storage on the thread that has the transaction.</summary>
    /// <param name="change">Writes about this much.</param>
    public abstract void Write(int bytes, Action change);

    /// <summary>Between two chunks: may wait here, and go on in another transaction under another lease.</summary>
    public abstract void MayPause();
}
