using Jackdaw.Documents.Callers;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>sorters, admin/sorters: code of users that compares values for the order of a query, of one database or of the server.</summary>
internal static class SorterHandlers
{
    private const string Example = """
        public class ByLength : IComparer<SortValue> { public int Compare(SortValue a, SortValue b) => a.Text.Length - b.Text.Length; }
        """;

    private static readonly Body s_body = UserCodeRequests.Describe(CodeTable.Sorters, "ByLength", Example);

    private static readonly Input s_name = Input.Text("name", "The name of the sorter.", "Spare").Required();

    public static void Map(RouteTable routes)
    {
        routes.Database("PUT", "/admin/sorters", Access.Admin, RouteTraits.Audited, PutAsync)
            .Says("Puts code that sorts results of the database's queries.")
            .Sends(s_body)
            .AnswersEmpty(204, "It is compiled and stored.");
        routes.Database("DELETE", "/admin/sorters", Access.Admin, RouteTraits.Audited, DeleteAsync)
            .Says("Deletes a sorter of the database.")
            .Takes(s_name)
            .AnswersEmpty(204, "It is deleted.")
            .AnswersEmpty(404, "There is no such sorter.");
        routes.Database("GET", "/sorters", Access.Read, RouteTraits.InMultiGet,
            context => UserCodeRequests.AnswerAsync(context, CodeTable.Sorters, IndexRequests.Of(context).Sorters.List()))
            .Says("Lists the sorters of the database.")
            .Answers(200, "Sorters has their names and code.");
        routes.Server("PUT", "/admin/sorters", Access.Operator, RouteTraits.Audited, PutOfServerAsync)
            .Says("Puts code that sorts results of queries of all databases.")
            .Sends(s_body)
            .AnswersEmpty(204, "It is compiled and stored.");
        routes.Server("DELETE", "/admin/sorters", Access.Operator, RouteTraits.Audited, DeleteOfServerAsync)
            .Says("Deletes a sorter of the server.")
            .Takes(s_name)
            .AnswersEmpty(204, "It is deleted.")
            .AnswersEmpty(404, "There is no such sorter.");
        routes.Server("GET", "/sorters", Access.ValidUser, RouteTraits.None,
            context => UserCodeRequests.AnswerAsync(context, CodeTable.Sorters, UserCodeRequests.ListOfServer(context, CodeTable.Sorters)))
            .Says("Lists the sorters of the server.")
            .Answers(200, "Sorters has their names and code.");
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
