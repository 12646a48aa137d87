using Jackdaw.Documents.Callers;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>sorters, admin/sorters: code of users that compares values for the order of a query, of one database or of the server.</summary>
internal static class SorterHandlers
{
    public static void Map(RouteTable routes)
    {
        routes.Database("PUT", "/admin/sorters", Access.Admin, RouteTraits.Audited, PutAsync);
        routes.Database("DELETE", "/admin/sorters", Access.Admin, RouteTraits.Audited, DeleteAsync);
        routes.Database("GET", "/sorters", Access.Read, RouteTraits.InMultiGet,
            context => UserCodeRequests.AnswerAsync(context, CodeTable.Sorters, IndexRequests.Of(context).Sorters.List()));
        routes.Server("PUT", "/admin/sorters", Access.Operator, RouteTraits.Audited, PutOfServerAsync);
        routes.Server("DELETE", "/admin/sorters", Access.Operator, RouteTraits.Audited, DeleteOfServerAsync);
        routes.Server("GET", "/sorters", Access.ValidUser, RouteTraits.None,
            context => UserCodeRequests.AnswerAsync(context, CodeTable.Sorters, UserCodeRequests.ListOfServer(context, CodeTable.Sorters)));
    }

    private static async ValueTask PutAsync(RequestContext context)
    {
        List<UserCode> sorters = await UserCodeRequests.ReadAsync(context, CodeTable.Sorters).ConfigureAwait(false);
        await IndexRequests.Of(context).Sorters.PutAsync(sorters, context.Aborted).ConfigureAwait(false);
        await context.Empty(204).ConfigureAwait(false);
    }

    private static async ValueTask DeleteAsync(RequestContext context)
    {
        bool isDeleted = await IndexRequests.Of(context).Sorters.DeleteAsync(context.Query.GetRequiredText("name"), context.Aborted).ConfigureAwait(false);
        await context.Empty(isDeleted ? 204 : 404).ConfigureAwait(false);
    }

    private static async ValueTask PutOfServerAsync(RequestContext context)
    {
        List<UserCode> sorters = await UserCodeRequests.ReadAsync(context, CodeTable.Sorters).ConfigureAwait(false);
        await SorterCatalog.CheckAsync(sorters, context.Aborted).ConfigureAwait(false);
        await UserCodeRequests.PutOfServerAsync(context, CodeTable.Sorters, sorters).ConfigureAwait(false);
        await context.Empty(204).ConfigureAwait(false);
    }

    private static async ValueTask DeleteOfServerAsync(RequestContext context)
    {
        bool isDeleted = await context.Databases.DeleteTextAsync(CodeTable.Sorters.Name, context.Query.GetRequiredText("name"), context.Aborted)
            .ConfigureAwait(false);
        await context.Empty(isDeleted ? 204 : 404).ConfigureAwait(false);
    }
}
