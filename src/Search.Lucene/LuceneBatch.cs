using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Lucene.Files;
using Jackdaw.Search.Lucene.Merging;
using Jackdaw.Storage.Transactions;
using Lucene.Net.Index;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene;

/// <summary>One transaction of the storage and one commit of Lucene in it.</summary>
internal sealed class LuceneBatch : IndexBatch
{
    private readonly LuceneSearchIndex _index;
    private readonly WriteTransaction _transaction;
    private readonly PageLease _lease;
    private readonly EntryDocument _document = new();
    private bool _isEnded;

    public LuceneBatch(LuceneSearchIndex index)
    {
        _index = index;
        _transaction = index.Storage.BeginWrite();
        _lease = PageLease.Begin(_transaction);
        try
        {
            index.Directory.Begin(_transaction);
            Writer = index.OpenWriter();
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    public override WriteTransaction Transaction => _transaction;

    private IndexWriter Writer { get; } = null!;

    public override void Delete(ReadOnlySpan<byte> id) => Writer.DeleteDocuments(new Term(IndexTerms.Id, new BytesRef(id.ToArray())));

    public override void Add(IndexEntry entry) => Writer.AddDocument(_document.Make(entry));

    public override void Commit()
    {
        Writer.Commit();
        SharedReader reader = _index.OpenReader();
        _transaction.ClientState = reader;
        CommitTransaction();
        _index.Replace(reader);
    }

    /// <summary>Merges for some time and commits. Returns true when there is more to do.</summary>
    /// <param name="mustEnd">Tells whether the time is over; it is called many times.</param>
    public bool Merge(Func<bool> mustEnd)
    {
        MergeProgress progress = _index.Merges.Step(Writer, _transaction, mustEnd);
        if (progress == MergeProgress.Nothing && !_index.Directory.HasFreed)
        {
            EndUnchanged();
            return false;
        }

        if (progress != MergeProgress.Paused)
        {
            Commit();
            return progress != MergeProgress.Nothing || _index.Directory.HasFilesToFree;
        }

        // Lucene has not changed the index, because the files that the merge has written so far have no names yet.
        _index.Directory.NoteUnfinished();
        CommitTransaction();
        return true;
    }

    private void EndUnchanged()
    {
        _isEnded = true;
        _index.Directory.EndUnchanged();
        _transaction.Dispose();
        _lease.Dispose();
    }

    private void CommitTransaction()
    {
        _transaction.Commit();
        _isEnded = true;
        _index.Directory.Committed();
        _lease.Dispose();
    }

    protected override void Dispose(bool isDisposing)
    {
        if (_isEnded)
        {
            return;
        }

        _isEnded = true;
        try
        {
            _index.DropWriter();
        }
        finally
        {
            _transaction.Dispose();
            _index.Directory.RolledBack();
            _lease.Dispose();
        }
    }
}
