using System.Diagnostics;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Lucene;

/// <summary>Holds a reader, whose files stay until it is released.</summary>
internal sealed class LuceneSnapshot(LuceneSearchIndex index, SharedReader reader) : SearchSnapshot
{
    private bool _isEnded;

    public override Searcher BeginSearch()
    {
        ObjectDisposedException.ThrowIf(_isEnded, this);
        ReadTransaction read = index.Storage.BeginRead();
        bool isOpen = reader.TryAcquire();
        Debug.Assert(isOpen, "the snapshot holds its reader");
        return new LuceneSearcher(index, reader, read);
    }

    protected override void Dispose(bool isDisposing)
    {
        if (!_isEnded)
        {
            _isEnded = true;
            reader.Release();
        }
    }
}
