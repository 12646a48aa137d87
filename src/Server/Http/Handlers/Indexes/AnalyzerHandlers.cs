using Jackdaw.Documents.Callers;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>analyzers, admin/analyzers: code of users that splits texts into words, of one database or of the server.</summary>
internal static class AnalyzerHandlers
{
    private const string Example = """
        public class Words : StandardAnalyzer { }
        """;

    private static readonly Body s_body = UserCodeRequests.Describe(CodeTable.Analyzers, "Words", Example);

    private static readonly Input s_name = Input.Text("name", "The name of the analyzer.", "Spare").Required();

    public static void Map(RouteTable routes)
    {
        routes.Database("PUT", "/admin/analyzers", Access.Admin, RouteTraits.Audited, PutAsync)
            .Says("Puts code that splits texts into words, for the indexes of the database.")
            .Sends(s_body)
            .AnswersEmpty(204, "It is compiled and stored.");
        routes.Database("DELETE", "/admin/analyzers", Access.Admin, RouteTraits.Audited, DeleteAsync)
            .Says("Deletes an analyzer of the database.")
            .Takes(s_name)
            .AnswersEmpty(204, "It is deleted.")
            .AnswersEmpty(404, "There is no such analyzer.");
        routes.Database("GET", "/analyzers", Access.Read, RouteTraits.InMultiGet,
            context => UserCodeRequests.AnswerAsync(context, CodeTable.Analyzers, IndexRequests.Of(context).Analyzers.List()))
            .Says("Lists the analyzers of the database.")
            .Answers(200, "Analyzers has their names and code.");
        routes.Server("PUT", "/admin/analyzers", Access.Operator, RouteTraits.Audited, PutOfServerAsync)
            .Says("Puts code that splits texts into words, for the indexes of all databases.")
            .Sends(s_body)
            .AnswersEmpty(204, "It is compiled and stored.");
        routes.Server("DELETE", "/admin/analyzers", Access.Operator, RouteTraits.Audited, DeleteOfServerAsync)
            .Says("Deletes an analyzer of the server, unless an index uses it.")
            .Takes(s_name)
            .AnswersEmpty(204, "It is deleted.")
            .AnswersEmpty(404, "There is no such analyzer.");
        routes.Server("GET", "/analyzers", Access.ValidUser, RouteTraits.None,
            context => UserCodeRequests.AnswerAsync(context, CodeTable.Analyzers, UserCodeRequests.ListOfServer(context, CodeTable.Analyzers)))
            .Says("Lists the analyzers of the server.")
            .Answers(200, "Analyzers has their names and code.");
    }

    private static async ValueTask PutAsync(RequestContext context)
    {
        List<UserCode> analyzers = await UserCodeRequests.ReadAsync(context, CodeTable.Analyzers).ConfigureAwait(false);
        await IndexRequests.Of(context).Analyzers.PutAsync(analyzers, context.Aborted).ConfigureAwait(false);
        await context.Empty(204).ConfigureAwait(false);
    }

    private static async ValueTask DeleteAsync(RequestContext context)
    {
        bool isDeleted = await IndexRequests.Of(context).Analyzers.DeleteAsync(context.Query.GetRequiredText("name"), context.Aborted).ConfigureAwait(false);
        await context.Empty(isDeleted ? 204 : 404).ConfigureAwait(false);
    }

    // Indexes that use a changed analyzer are built again, in every database: at once where the database is open, otherwise when it is opened.
    private static async ValueTask PutOfServerAsync(RequestContext context)
    {
        List<UserCode> analyzers = await UserCodeRequests.ReadAsync(context, CodeTable.Analyzers).ConfigureAwait(false);
        await AnalyzerCatalog.CheckAsync(analyzers, context.Aborted).ConfigureAwait(false);
        UserCode[] old = UserCodeRequests.ListOfServer(context, CodeTable.Analyzers);
        string[] changed = CodeTable.ListChanged(
            name => Array.Find(old, code => code.Name.Equals(name, StringComparison.OrdinalIgnoreCase)), analyzers);
        await UserCodeRequests.PutOfServerAsync(context, CodeTable.Analyzers, analyzers).ConfigureAwait(false);
        foreach (AnalyzerCatalog ofDatabase in changed.Length == 0 ? [] : await UserCodeRequests.ListOpenAnalyzersAsync(context).ConfigureAwait(false))
        {
            await ofDatabase.ResetUsersAsync(changed.Where(name => !ofDatabase.HasOwn(name)), context.Aborted).ConfigureAwait(false);
        }

        await context.Empty(204).ConfigureAwait(false);
    }

    private static async ValueTask DeleteOfServerAsync(RequestContext context)
    {
        string name = context.Query.GetRequiredText("name");
        foreach ((string database, AnalyzerCatalog analyzers) in await UserCodeRequests.ListAnalyzersAsync(context).ConfigureAwait(false))
        {
            if (!analyzers.HasOwn(name) && analyzers.UsersOf(name).FirstOrDefault() is { } index)
            {
                throw new RequestRefusedException(new Problem(500, ProblemTypes.InvalidOperation,
                    $"Index '{index}' of database '{database}' uses the analyzer '{name}'; put a definition without it first, or delete the index."));
            }
        }

        bool isDeleted = await context.Databases.DeleteTextAsync(CodeTable.Analyzers.Name, name, context.Aborted).ConfigureAwait(false);
        await context.Empty(isDeleted ? 204 : 404).ConfigureAwait(false);
    }
}
