namespace Jackdaw.Documents;

/// <summary>A position in an ordered walk over the documents of one read scope.</summary>
/// <remarks>Used by one thread at a time. Disposed before its scope. Starts before the first document.</remarks>
public abstract class DocumentCursor : IDisposable
{
    /// <summary>The document at the position; only after <see cref="MoveNext"/> answered true, and until it is called
    /// again.</summary>
    public abstract StoredDocument Current { get; }

    /// <summary>Goes to the next document; false at the end.</summary>
    public abstract bool MoveNext();

    /// <summary>Both at once: cheaper where a position is found by looking the document up.</summary>
    public virtual bool TryNext(out StoredDocument document)
    {
        bool isThere = MoveNext();
        document = isThere ? Current : default;
        return isThere;
    }

    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    protected virtual void Dispose(bool disposing)
    {
    }
}
