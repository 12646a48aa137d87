namespace Jackdaw.Documents;

/// <summary>A position in an ordered walk over the documents of one read scope.</summary>
/// <remarks>One thread at a time uses it. It is disposed before its scope, and starts before the first document.</remarks>
public abstract class DocumentCursor : IDisposable
{
    /// <summary>The document at the position; valid after <see cref="MoveNext"/> returned true, until it is called again.</summary>
    public abstract StoredDocument Current { get; }

    /// <summary>Goes to the next document; false at the end.</summary>
    public abstract bool MoveNext();

    /// <summary>Does both at once, which is cheaper when a position is found by looking the document up.</summary>
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
