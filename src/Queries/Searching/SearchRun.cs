using System.Diagnostics;
using System.Globalization;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Queries.Searching.Translation;

namespace Jackdaw.Queries.Searching;

/// <summary>Searches for one run of a query: finds the index that the query names, or the auto index that answers it, waits for the index
/// as long as the query wants, and asks it.</summary>
internal sealed class SearchRun
{
    /// <summary>How long a query waits for an index that was made for it.</summary>
    public static readonly TimeSpan FirstPatience = TimeSpan.FromSeconds(15);

    private readonly DatabaseIndexes _indexes;
    private SearchPlan _search;
    private long _began;
    private TimeSpan _patience;

    private SearchRun(QueryPlan plan, DocumentDatabase database, DatabaseIndexes indexes, SearchPlan search)
    {
        Plan = plan;
        Database = database;
        _indexes = indexes;
        _search = search;
    }

    public QueryPlan Plan { get; }

    public DocumentDatabase Database { get; }

    /// <summary>How long the query may run.</summary>
    public required QueryDeadline Deadline { get; init; }

    /// <summary>Null: nobody asks what the query does.</summary>
    public QueryTrace? Trace { get; init; }

    /// <summary>Prepares the search of a plan that an index answers.</summary>
    /// <param name="parameters">The parameters of the request; they are not kept.</param>
    /// <exception cref="IndexException">There is no index with the name that the query gives.</exception>
    /// <exception cref="InvalidQueryException">The query cannot be run as it is written.</exception>
    public static SearchRun Make(
        QueryPlan plan, ParameterValues parameters, DocumentDatabase database, DatabaseIndexes indexes, QueryDeadline deadline, QueryTrace? trace)
    {
        bool isAuto = !plan.Syntax.From.IsIndex || indexes.Catalog.Require(plan.Syntax.From.Source).Auto is not null;
        SearchPlan search = SearchPlan.Make(plan, parameters, database, isAuto, isTraced: trace is not null);
        return new SearchRun(plan, database, indexes, search) { Deadline = deadline, Trace = trace };
    }

    /// <summary>Prepares a search for files of indexes that are not in the catalog, which <see cref="Ask"/> names.</summary>
    /// <param name="search">The same plan for the search engine.</param>
    public static SearchRun MakeForFiles(
        QueryPlan plan, SearchPlan search, DocumentDatabase database, DatabaseIndexes indexes, QueryDeadline deadline) =>
        new(plan, database, indexes, search) { Deadline = deadline };

    /// <summary>Asks the files of an index that a user defined, as they are now.</summary>
    /// <param name="index">What they belong to; it need not be in the catalog.</param>
    /// <returns>The answer; the caller disposes it.</returns>
    public IndexAnswer Ask(DatabaseIndex index, IndexBuilder builder) =>
        new SearchAttempt(this, _search, index, builder) { IsStale = false, Changes = [] }.Ask();

    /// <summary>Which index a query would ask. Makes no index.</summary>
    /// <exception cref="InvalidQueryException">The query cannot be run as it is written.</exception>
    /// <exception cref="IndexException">There is no index with the name that the query gives.</exception>
    public static IndexChoice Explain(DocumentDatabase database, QueryRequest request)
    {
        QueryText text = QueryText.Of(request.Text);
        QueryIncludes.Check(text.Syntax, database.Extensions);
        if (database.FindPart<DatabaseIndexes>() is not { } indexes || !text.IsIndexed)
        {
            string collection = CollectionNames.NameOf(text.Syntax.From, null);
            return new IndexChoice(collection, [(collection, "The query is answered without an index: it reads the documents themselves.")]);
        }

        return text.Syntax.From.IsIndex
            ? new IndexChoice(indexes.Catalog.Require(text.Syntax.From.Source).Name, [])
            : indexes.Auto.Explain(text.Needed);
    }

    /// <summary>Asks the index, which is made if there is none that can answer. While indexes are replaced or deleted, the query begins again with
    /// the index that answers it now, until its time is over.</summary>
    /// <param name="firstPatience">How long the query waits if it does not say so: for an index that is made for it now, or that is not open yet.</param>
    /// <param name="ended">Also ends the search of later pages.</param>
    /// <returns>The answer of the index; the caller disposes it.</returns>
    public async ValueTask<IndexAnswer> RunAsync(TimeSpan firstPatience, CancellationToken ended)
    {
        bool isNew = false; // Stays true for later attempts: an index that was woken may be built again.
        _began = Stopwatch.GetTimestamp();
        _patience = Plan.Request.WaitForNonStale ?? firstPatience;
        while (true)
        {
            (DatabaseIndex index, bool isNewNow) = await FindAsync(ended).ConfigureAwait(false);
            isNew |= isNewNow;
            try
            {
                IndexAnswer answer = await AskAsync(index, isNew || Plan.Request.WaitForNonStale is not null, ended).ConfigureAwait(false);
                if (!answer.IsStale || !IsReplaced(index) || Left <= TimeSpan.Zero)
                {
                    return answer;
                }

                answer.Dispose();
            }
            catch (Exception closed) when (closed is ObjectDisposedException or IndexException { Fault: IndexFault.Unavailable } && IsReplaced(index))
            {
                if (Left <= TimeSpan.Zero)
                {
                    throw TooLate($"Index '{index.Name}' was replaced or deleted");
                }
            }
            catch (Exception damage) when (index.IsDamage(damage))
            {
                index.NoteDamage(damage);
                throw new IndexException(IndexFault.Unavailable, $"Index '{index.Name}' is damaged, and is built again now; try again in a moment.");
            }
        }
    }

    // The time that is left for waiting.
    private TimeSpan Left => _patience - Stopwatch.GetElapsedTime(_began) is { Ticks: > 0 } left ? left : TimeSpan.Zero;

    private IndexException TooLate(string problem) => new(IndexFault.Unavailable, string.Create(
        CultureInfo.InvariantCulture, $"{problem}, and the query has waited {_patience.TotalSeconds} s; try again in a moment."));

    private async ValueTask<(DatabaseIndex Index, bool IsNew)> FindAsync(CancellationToken ended)
    {
        if (Plan.Syntax.From.IsIndex)
        {
            return (await _indexes.Auto.FindNamedAsync(Plan.Syntax.From.Source, ended).ConfigureAwait(false), false);
        }

        while (true)
        {
            ValueTask<(DatabaseIndex, bool)> found = _indexes.Auto.FindOrAddAsync(_search.Complete(Plan.Text.Needed), ended);
            if (found.IsCompletedSuccessfully)
            {
                return found.Result;
            }

            try
            {
                return await found.AsTask().WaitAsync(Left, ended).ConfigureAwait(false);
            }
            catch (IndexException gone) when (gone.Fault == IndexFault.Missing && Left > TimeSpan.Zero)
            {
                // The index was deleted when it was to work again for this query.
            }
            catch (TimeoutException)
            {
                throw TooLate("Other indexes are being replaced or deleted");
            }
        }
    }

    private bool IsReplaced(DatabaseIndex index) => !ReferenceEquals(_indexes.Catalog.Find(index.Name), index);

    private async ValueTask<IndexAnswer> AskAsync(DatabaseIndex index, bool mayWait, CancellationToken ended)
    {
        bool isOpen = index.Builder is not null || await index.WaitForOpenAsync(Left, ended).ConfigureAwait(false);
        if (!isOpen || index.Builder is not { } builder)
        {
            throw TooLate($"Index '{index.Name}' is not open yet");
        }

        if (_search.IsAuto != index.Auto is not null)
        {
            Translate(isAuto: !_search.IsAuto); // An index of the other kind has taken the name.
        }

        long began = Stopwatch.GetTimestamp();
        (IndexCutoff cutoff, Etag last) = ReadEtags(index);
        bool isStale = !index.HasPassed(cutoff) && !await WaitAsync(index, cutoff, mayWait ? Left : TimeSpan.Zero, ended).ConfigureAwait(false);
        Trace?.Add("wait", isStale ? $"{index.Name} is behind" : index.Name, began);
        if (index.HasFailed && !IsReplaced(index))
        {
            throw index.FailedTooOften(); // It failed while the query waited: what it has would mislead.
        }

        TimeSpan waited = Stopwatch.GetElapsedTime(began);
        Deadline.Begin();
        var attempt = new SearchAttempt(this, _search, index, builder)
        {
            IsStale = isStale,

            // A stale index finds documents that have left its collections since; what is written to those counts too.
            Changes = Plan.ReadsOtherDocuments || (isStale && Plan.Syntax.From.IsIndex) ? [last] : cutoff.Mapped,
        };
        return attempt.Ask() with { Waited = waited, LastEtag = last };
    }

    private void Translate(bool isAuto)
    {
        using var parameters = new ParameterValues(Plan.Syntax.Text, Plan.Request.Parameters);
        _search = SearchPlan.Make(Plan, parameters, Database, isAuto, isTraced: Trace is not null);
    }

    private async ValueTask<bool> WaitAsync(DatabaseIndex index, IndexCutoff cutoff, TimeSpan patience, CancellationToken ended)
    {
        if (Plan.Request is { WaitForEtag: { } etag, WaitForNonStale: null })
        {
            // The answer is stale when any write is missing; the query waits only for the writes up to its etag.
            await index.WaitAsync(cutoff.AtMost(new Etag(etag)), Plan.Request.Patience, ended).ConfigureAwait(false);
        }

        return await index.WaitAsync(cutoff, patience, ended).ConfigureAwait(false);
    }

    private (IndexCutoff Cutoff, Etag Last) ReadEtags(DatabaseIndex index)
    {
        using DocumentReadScope read = Database.BeginRead();
        return (index.CutoffOf(read)!, read.LastEtag);
    }
}
