using System.Diagnostics;
using Jackdaw.Server.Documents.Store;
using Jackdaw.Server.Indexing;
using Jackdaw.Server.Indexing.Definitions.Model;
using Jackdaw.Server.Queries.Execution;
using Jackdaw.Server.Queries.Language;

namespace Jackdaw.Server.Queries.Indexed;

/// <summary>Makes queries ready, those too that need an index.</summary>
internal static class IndexedQuery
{
    /// <summary>How long a query waits for an index that was made for it.</summary>
    public static readonly TimeSpan FirstPatience = TimeSpan.FromSeconds(15);

    /// <summary>Makes a query ready to be searched, see <see cref="CollectionQuery.SearchAsync"/>, and run.</summary>
    /// <exception cref="InvalidQueryException">It cannot be run as it is written.</exception>
    /// <exception cref="QueryNotSupportedException">It asks for what this version cannot do.</exception>
    /// <exception cref="IndexException">The index that it names is not there.</exception>
    public static CollectionQuery Plan(DocumentDatabase database, QueryRequest request, IProjectionScripts scripts)
    {
        long began = Stopwatch.GetTimestamp();
        QuerySyntax syntax = QueryParser.Parse(request.Text);
        QueryTrace? trace = request.IsTraced || QueryIncludes.Has(syntax, "timings") ? new QueryTrace() : null;
        trace?.Add("parse", "", began);
        began = Stopwatch.GetTimestamp();
        DatabaseIndexes? indexes = (database as StoredDatabase)?.FindPart<DatabaseIndexes>();
        bool isIndexed = indexes is not null && IsFor(syntax);
        CollectionQuery query = CollectionQuery.Plan(syntax, request, scripts, isIndexed, isIndexed && PlannedSearch.MakesRows(syntax), trace);
        try
        {
            query.Search = isIndexed ? IndexSearch.Make(query, (StoredDatabase)database, indexes!) : null;
            trace?.Add("plan", isIndexed ? "" : "needs no index", began);
            return query;
        }
        catch
        {
            query.Dispose();
            throw;
        }
    }

    private static bool IsFor(QuerySyntax syntax) =>
        syntax.From.IsIndex || syntax.GroupBy.Count > 0 || CollectionQuery.NeedsIndex(syntax.Where) || NeedsIndex(syntax.OrderBy)
        || PlannedSearch.MakesRows(syntax);

    private static bool NeedsIndex(IReadOnlyList<OrderKey> keys) =>
        keys.Any(key => key.Key is FieldExpression || key.IsDescending || keys.Count > 1
            || (key.Key is MethodExpression method && !method.IsDocumentId && !method.Is("random")));
}
