using Jackdaw.Documents.Callers;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>Changes the state of indexes: their locks and priorities, and whether they run; resets and replaces them. All answers have no body.</summary>
internal static class IndexStateHandlers
{
    private static readonly Input s_names = Input.Text("IndexNames", "The names of the indexes.", "Orders/ByCompany").Repeated().Required();

    private static readonly Input s_name = Input.Text("name", "The name of the index; without it several are meant.", "Orders/ByCompany");

    private static readonly Input s_type = Input.OneOf("type", "Without a name: which indexes are meant; without both all of them.", "map", "map-reduce");

    public static void Map(RouteTable routes)
    {
        routes.Database("POST", "/indexes/set-lock", Access.ReadWrite, RouteTraits.Audited,
            IndexRequests.With(SetLockAsync))
            .Says("Locks definitions of indexes against changes by clients, or unlocks them.")
            .Sends(Body.Object("The lock.", s_names, Input.OneOf("Mode", "The lock.", Enum.GetNames<IndexLockMode>()).Required()))
            .AnswersEmpty(204, "It holds.");
        routes.Database("POST", "/indexes/set-priority", Access.ReadWrite, RouteTraits.Audited,
            IndexRequests.With(SetPriorityAsync))
            .Says("Sets how much of the server indexes may use.")
            .Sends(Body.Object("The priority.", s_names, Input.OneOf("Priority", "The priority.", Enum.GetNames<IndexPriority>()).Required()))
            .AnswersEmpty(204, "It holds.");
        routes.Database("POST", "/admin/indexes/start", Access.Admin, RouteTraits.Audited,
            IndexRequests.With((context, indexes) => PauseAsync(context, indexes, isPaused: false)))
            .Says("Lets paused indexes go on.")
            .Takes(s_name, s_type)
            .AnswersEmpty(204, "They go on.");
        routes.Database("POST", "/admin/indexes/stop", Access.Admin, RouteTraits.Audited,
            IndexRequests.With((context, indexes) => PauseAsync(context, indexes, isPaused: true)))
            .Says("Pauses indexes until the server is started again.")
            .Takes(s_name, s_type)
            .AnswersEmpty(204, "They pause.");
        routes.Database("POST", "/admin/indexes/enable", Access.Admin, RouteTraits.Audited,
            IndexRequests.With((context, indexes) => SetStateAsync(context, indexes, IndexState.Normal)))
            .Says("Enables an index.")
            .Takes(IndexRequests.Name)
            .AnswersEmpty(204, "It is enabled.");
        routes.Database("POST", "/admin/indexes/disable", Access.Admin, RouteTraits.Audited,
            IndexRequests.With((context, indexes) => SetStateAsync(context, indexes, IndexState.Disabled)))
            .Says("Disables an index, also after the next start.")
            .Takes(IndexRequests.Name)
            .AnswersEmpty(204, "It is disabled.");
        routes.Database("RESET", "/indexes", Access.ReadWrite, RouteTraits.Audited, IndexRequests.With(ResetAsync))
            .Says("Builds an index again from the beginning.")
            .Takes(
                IndexRequests.Name,
                Input.OneOf(
                    "mode", "Whether the old entries answer until the new ones are complete; without it asSideBySide says so.", "InPlace", "SideBySide"),
                Input.Flag("asSideBySide", "Whether the old entries answer until the new ones are complete; the setting of the database holds without it."))
            .AnswersEmpty(204, "It has begun.");
        routes.Database("POST", "/indexes/replace", Access.ReadWrite, RouteTraits.Audited,
            IndexRequests.With(ReplaceAsync))
            .Says("Lets a new definition take the place of the old one before it has read all documents.")
            .Takes(Input.Text("name", "The name of the index, or of its replacement.", "Orders/ByCompany").Required())
            .AnswersEmpty(204, "It took its place.");
    }

    private static async ValueTask SetLockAsync(RequestContext context, IndexCatalog indexes)
    {
        (List<string> names, IndexLockMode mode) = await ReadSettingAsync<IndexLockMode>(context, "Mode").ConfigureAwait(false);
        if (names.FirstOrDefault(name => indexes.Require(name).Auto is not null) is { } auto)
        {
            throw new RequestRefusedException(Problem.Argument($"'{auto}' was made by queries, and has no definition that could be locked."));
        }

        await indexes.ChangeAsync(names, record => record with { LockMode = mode }, context.Aborted).ConfigureAwait(false);
        await context.Empty(204).ConfigureAwait(false);
    }

    private static async ValueTask SetPriorityAsync(RequestContext context, IndexCatalog indexes)
    {
        (List<string> names, IndexPriority priority) = await ReadSettingAsync<IndexPriority>(context, "Priority").ConfigureAwait(false);
        await indexes.ChangeAsync(names, record => record with { Priority = priority }, context.Aborted).ConfigureAwait(false);
        await context.Empty(204).ConfigureAwait(false);
    }

    private static async ValueTask<(List<string> Names, TValue Value)> ReadSettingAsync<TValue>(RequestContext context, string member)
        where TValue : struct, Enum
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A setting of indexes").ConfigureAwait(false);
        List<string> names = body.Root.TextsMember("IndexNames");
        string? text = body.Root.TextMember(member);
        if (names.Count == 0)
        {
            throw new RequestRefusedException(Problem.Argument("IndexNames is empty; name the indexes whose setting changes."));
        }

        string? known = Enum.GetNames<TValue>().FirstOrDefault(name => name.Equals(text, StringComparison.OrdinalIgnoreCase));
        return known is not null
            ? (names, Enum.Parse<TValue>(known))
            : throw new RequestRefusedException(Problem.Argument(
                $"The member '{member}' is '{text}'; it can be {string.Join(", ", Enum.GetNames<TValue>())}."));
    }

    private static ValueTask PauseAsync(RequestContext context, IndexCatalog indexes, bool isPaused)
    {
        string? name = context.Query.GetText("name");
        string? type = context.Query.GetText("type");
        if (!string.IsNullOrEmpty(name))
        {
            indexes.Require(name).IsPaused = isPaused;
        }
        else if (!string.IsNullOrEmpty(type))
        {
            bool isReduce = type.Equals("map-reduce", StringComparison.OrdinalIgnoreCase);
            if (!isReduce && !type.Equals("map", StringComparison.OrdinalIgnoreCase))
            {
                throw new RequestRefusedException(Problem.Argument($"The query parameter 'type' is '{type}'; it can be map or map-reduce."));
            }

            foreach (DatabaseIndex index in indexes.All.Where(index => IndexDefinitionAnswers.Of(index).IsMapReduce == isReduce))
            {
                index.IsPaused = isPaused;
            }
        }
        else
        {
            indexes.Pause(isPaused);
        }

        return context.Empty(204);
    }

    private static async ValueTask SetStateAsync(RequestContext context, IndexCatalog indexes, IndexState state)
    {
        string name = context.Query.GetRequiredText("name");
        await indexes.ChangeAsync([name], record => record with { State = state }, context.Aborted).ConfigureAwait(false);
        await context.Empty(204).ConfigureAwait(false);
    }

    private static async ValueTask ResetAsync(RequestContext context, IndexCatalog indexes)
    {
        string name = context.Query.GetRequiredText("name");
        string? mode = context.Query.GetText("mode");
        bool isSideBySide = mode?.ToUpperInvariant() switch
        {
            null or "" => context.Query.GetFlag("asSideBySide", absent: indexes.Settings.ResetsSideBySide),
            "INPLACE" => false,
            "SIDEBYSIDE" => true,
            _ => throw new RequestRefusedException(Problem.Argument($"The query parameter 'mode' is '{mode}'; it can be InPlace or SideBySide.")),
        };
        await indexes.ResetAsync(name, isSideBySide, context.Aborted).ConfigureAwait(false);
        await context.Empty(204).ConfigureAwait(false);
    }

    private static async ValueTask ReplaceAsync(RequestContext context, IndexCatalog indexes)
    {
        string name = context.Query.GetRequiredText("name");
        bool isReplacement = name.StartsWith(IndexRecord.ReplacementPrefix, StringComparison.OrdinalIgnoreCase);
        await indexes.ReplaceAsync(isReplacement ? name[IndexRecord.ReplacementPrefix.Length..] : name, context.Aborted).ConfigureAwait(false);
        await context.Empty(204).ConfigureAwait(false);
    }
}
