using System.Diagnostics;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Storage;
using Jackdaw.Documents.Store;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Queries.Execution;

namespace Jackdaw.Queries.Indexed;

/// <summary>The search of one query: finds the index that it names, or the auto index that answers it, waits for it as long as the query
/// wants, and asks it.</summary>
internal sealed class IndexSearch : IIndexSearch
{
    /// <summary>How often a query begins anew when its index is replaced meanwhile.</summary>
    private const int AttemptsMax = 5;

    private readonly CollectionQuery _query;
    private readonly ParsedQuery _parsed;
    private readonly StoredDatabase _database;
    private readonly DatabaseIndexes _indexes;
    private PlannedSearch _planned;

    private IndexSearch(
        CollectionQuery query, ParsedQuery parsed, StoredDatabase database, DatabaseIndexes indexes, PlannedSearch planned)
    {
        _query = query;
        _parsed = parsed;
        _database = database;
        _indexes = indexes;
        _planned = planned;
    }

    /// <exception cref="IndexException">The index that the query names is not there.</exception>
    public static IndexSearch Make(CollectionQuery query, ParsedQuery parsed, StoredDatabase database, DatabaseIndexes indexes)
    {
        bool isAuto = !query.Syntax.From.IsIndex || indexes.Require(query.Syntax.From.Source).Auto is not null;
        return new IndexSearch(query, parsed, database, indexes, PlannedSearch.Make(query, database, isAuto));
    }

    /// <inheritdoc/>
    public async ValueTask<IndexAnswer> RunAsync(TimeSpan firstPatience, CancellationToken ended)
    {
        bool isNew = false; // or was, at an earlier attempt: an index that was woken may be built again
        for (int attempt = 1; ; attempt++)
        {
            (DatabaseIndex index, bool isNewNow) = await FindAsync(ended).ConfigureAwait(false);
            isNew |= isNewNow;
            TimeSpan patience = _query.Request.WaitForNonStale ?? (isNew ? firstPatience : TimeSpan.Zero);
            try
            {
                IndexAnswer answer = await AskAsync(index, patience, ended).ConfigureAwait(false);
                if (!answer.IsStale || !IsReplaced(index) || attempt == AttemptsMax)
                {
                    return answer;
                }

                answer.Dispose();
            }
            catch (Exception closed) when (closed is ObjectDisposedException or IndexException { Fault: IndexFault.Unavailable }
                && IsReplaced(index) && attempt < AttemptsMax)
            {
                // Another one has its name by now.
            }
            catch (Exception damage) when (index.IsDamage(damage))
            {
                index.NoteDamage(damage);
                throw new IndexException(IndexFault.Unavailable, $"Index '{index.Name}' is damaged, and is built again now; try again in a moment.");
            }
        }
    }

    private async ValueTask<(DatabaseIndex Index, bool IsNew)> FindAsync(CancellationToken ended) => _query.Syntax.From.IsIndex
        ? (await _indexes.FindForQueryAsync(_query.Syntax.From.Source, ended).ConfigureAwait(false), false)
        : await _indexes.FindOrAddAutoAsync(_parsed.Needed, ended).ConfigureAwait(false);

    private bool IsReplaced(DatabaseIndex index) => !ReferenceEquals(_indexes.Find(index.Name), index);

    private async ValueTask<IndexAnswer> AskAsync(DatabaseIndex index, TimeSpan patience, CancellationToken ended)
    {
        bool isOpen = index.Builder is not null || await index.WaitForOpenAsync(IndexedQuery.FirstPatience, ended).ConfigureAwait(false);
        if (!isOpen || index.Builder is not SearchIndexBuilder builder)
        {
            throw new IndexException(IndexFault.Unavailable, $"Index '{index.Name}' is not open yet; try again in a moment.");
        }

        if (_planned.IsAuto != index.Auto is not null)
        {
            _planned = PlannedSearch.Make(_query, _database, !_planned.IsAuto); // An index of the other kind has the name by now.
        }

        long began = Stopwatch.GetTimestamp();
        (IndexCutoff cutoff, Etag last) = ReadEtags(index);
        bool isStale = !index.HasPassed(cutoff) && !await WaitAsync(index, cutoff, patience, ended).ConfigureAwait(false);
        _query.Trace?.Add("wait", isStale ? $"{index.Name} is behind" : index.Name, began);
        if (index.HasFailed && !IsReplaced(index))
        {
            throw DatabaseIndexes.Failed(index); // meanwhile: what it has misleads
        }

        TimeSpan waited = Stopwatch.GetElapsedTime(began);
        var question = new IndexQuestion(_query, _planned, _database, index, builder, isStale, ended)
        {
            // A stale index finds documents that have left its collections since; what is written to those counts too.
            Changes = _query.ReadsOtherDocuments || (isStale && _query.Syntax.From.IsIndex) ? [last] : cutoff.Mapped,
        };
        return question.Ask() with { Waited = waited, LastEtag = last };
    }

    private async ValueTask<bool> WaitAsync(DatabaseIndex index, IndexCutoff cutoff, TimeSpan patience, CancellationToken ended)
    {
        if (_query.Request is { WaitForEtag: { } etag, WaitForNonStale: null })
        {
            // Staleness is a matter of all writes, the wait one of those up to the etag.
            await index.WaitAsync(cutoff.AtMost(new Etag(etag)), _query.Request.Patience, ended).ConfigureAwait(false);
        }

        return await index.WaitAsync(cutoff, patience, ended).ConfigureAwait(false);
    }

    private (IndexCutoff Cutoff, Etag Last) ReadEtags(DatabaseIndex index)
    {
        using StoredReadScope read = _database.BeginScope();
        return (index.CutoffOf(read)!, read.LastEtag);
    }
}
