using Jackdaw.Documents.Reading;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Server.Http.Handlers.Indexes;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers.QueryEditing;

/// <summary>Finds queries that read from a collection or an index that is not there.</summary>
internal static class SourceCheck
{
    public static QueryRemark? Check(RequestContext context, QuerySyntax syntax, IReadOnlyList<QueryToken> tokens)
    {
        FromClause from = syntax.From;
        QueryToken token = tokens.First(token => token.Kind == QueryTokenKind.Source);
        if (from.IsIndex)
        {
            return IndexRequests.Of(context).Catalog.Find(from.Source) is null
                ? new QueryRemark(token.Start, token.End, $"There is no index '{from.Source}'.", IsError: true)
                : null;
        }

        if (from.IsAllDocuments || HasDocuments(context, from.Source))
        {
            return null;
        }

        string message = $"There is no document in a collection '{from.Source}', so that this finds nothing.";
        bool isIndexMeant = IndexRequests.Of(context).Catalog.Find(from.Source) is not null;
        string more = isIndexMeant ? $" To ask the index of that name, write: from index {QueryNames.Quote(from.Source)}" : "";
        return new QueryRemark(token.Start, token.End, message + more, IsError: false);
    }

    /// <summary>The collections that have documents.</summary>
    public static IReadOnlyList<string> NamesOf(RequestContext context)
    {
        using RenewedRead read = context.OpenRead(ReaderKind.List);
        return [.. read.Scope.GetCollections().Select(one => one.Name)];
    }

    private static bool HasDocuments(RequestContext context, string collection)
    {
        using RenewedRead read = context.OpenRead(ReaderKind.List);
        return CollectionNames.Find(read.Scope, collection) is not null;
    }
}
