using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Sources;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Handlers.Documents;
using Jackdaw.Server.Http.Handlers.Indexes;
using Jackdaw.Server.Http.Handlers.Settings;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.SampleShop;

namespace Jackdaw.Server.Http.Handlers.SampleShop;

/// <summary>studio/sample-data: the documents and indexes of a shop, for tutorials and tries.</summary>
/// <remarks>
/// The documents are written last and in one transaction, so that a database with any of them has everything that was asked for. When the request is cut off
/// before that, it can be sent again.
/// </remarks>
internal static class SampleShopHandlers
{
    private const string Parameter = "operateOnTypes";

    private const string Documents = "Documents";
    private const string Indexes = "Indexes";
    private const string Attachments = "Attachments";
    private const string Revisions = "RevisionDocuments";

    private static readonly string[] s_kinds = [Documents, Indexes, Attachments, Revisions];

    /// <summary>Kinds that clients can name, although the shop has nothing of the kind.</summary>
    private static readonly string[] s_absentKinds =
    [
        "None", "Identities", "Tombstones", "Conflicts", "CompareExchange", "CompareExchangeTombstones", "DatabaseRecord", "Counters", "CounterGroups",
        "Subscriptions", "TimeSeries", "TimeSeriesDeletedRanges",
    ];

    public static void Map(RouteTable routes)
    {
        routes.Database("POST", "/studio/sample-data", Access.Admin, RouteTraits.Audited, PostAsync)
            .Says("Puts the documents and indexes of a shop into an empty database.")
            .Takes(Input.OneOf(Parameter, "What is put; without it everything.", s_kinds).Repeated())
            .AnswersEmpty(204, "They are there.");
        routes.Database("GET", "/studio/sample-data/classes", Access.Read, RouteTraits.None, GetClassesAsync)
            .Says("Gives the C# classes of the sample data.")
            .Answers(200, "The text of the classes.", MediaTypes.Plain);
    }

    private static async ValueTask GetClassesAsync(RequestContext context)
    {
        using var text = new ResponseBuffer(context.Server.Answers);
        text.Append(Encoding.UTF8.GetBytes(ShopClasses.Text));
        await context.Send(200, text, "text/plain; charset=utf-8").ConfigureAwait(false);
    }

    private static async ValueTask PostAsync(RequestContext context)
    {
        HashSet<string> kinds = ReadKinds(context);
        if (kinds.Contains(Indexes))
        {
            await PutIndexesAsync(context).ConfigureAwait(false);
        }

        if (kinds.Contains(Documents))
        {
            await PutDocumentsAsync(context, kinds).ConfigureAwait(false);
        }

        await context.Empty(204).ConfigureAwait(false);
    }

    /// <summary>The kinds of things to make, in any casing; all of them when the request names none.</summary>
    private static HashSet<string> ReadKinds(RequestContext context)
    {
        var kinds = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        bool namesAny = false;
        foreach (string named in context.Query.GetAll(Parameter).SelectMany(text => text.Split(',', StringSplitOptions.TrimEntries)))
        {
            namesAny = true;
            if (s_kinds.Contains(named, StringComparer.OrdinalIgnoreCase))
            {
                kinds.Add(named);
            }
            else if (!s_absentKinds.Contains(named, StringComparer.OrdinalIgnoreCase))
            {
                throw new RequestRefusedException(Problem.Argument(
                    $"{Parameter} names '{named}'; the sample data has {string.Join(", ", s_kinds)}. Nothing was written."));
            }
        }

        if (!namesAny)
        {
            kinds.UnionWith(s_kinds);
        }

        if (kinds.Count == 0)
        {
            throw new RequestRefusedException(Problem.Argument(
                $"{Parameter} names nothing that the sample data has, which is {string.Join(", ", s_kinds)}. Nothing was written."));
        }

        if (!kinds.Contains(Documents) && kinds.FirstOrDefault(kind => !kind.Equals(Indexes, StringComparison.OrdinalIgnoreCase)) is { } alone)
        {
            throw new RequestRefusedException(Problem.Argument(
                $"{Parameter} names {alone} without {Documents}, to which they belong; name {Documents} too. Nothing was written."));
        }

        return kinds;
    }

    private static async ValueTask PutDocumentsAsync(RequestContext context, HashSet<string> kinds)
    {
        bool withHistory = kinds.Contains(Revisions);
        if (withHistory && RecordChanges.Find(context, RevisionsConfiguration.Member) is null)
        {
            await RecordChanges.SetAsync(context, RevisionsConfiguration.Member, Encoding.UTF8.GetBytes("""{"Collections":{"Orders":{"Disabled":false}}}"""))
                .ConfigureAwait(false);
        }

        using var parsed = new ParsedBatch();
        await context.WriteAsync(ShopBatch.Make(parsed, context.Database.CommandKinds.OfBatch, kinds.Contains(Attachments), withHistory))
            .ConfigureAwait(false);
    }

    private static async ValueTask PutIndexesAsync(RequestContext context)
    {
        RefuseUnlessEmpty(context);
        IndexCatalog indexes = IndexRequests.Of(context).Catalog;
        foreach (JsonObject made in ShopIndexes.MakeAll())
        {
            IndexDefinition definition = IndexDefinitionReader.Read(made.Deserialize<JsonElement>());
            IndexSources sources = await indexes.CheckAsync(definition, [], context.Aborted).ConfigureAwait(false);
            await indexes.PutAsync(definition, sources, context.Aborted).ConfigureAwait(false);
        }
    }

    /// <summary>Refuses early, before indexes are put. The batch of the documents checks again, in its transaction.</summary>
    private static void RefuseUnlessEmpty(RequestContext context)
    {
        using DocumentReadScope read = context.Database.BeginRead();
        if (read.Counts.Documents > 0)
        {
            throw new RequestRefusedException(new Problem(
                409, ProblemTypes.Concurrency, ExpectNoDocumentsCommand.Explain(context.Database.Name, read.Counts.Documents, ShopBatch.Advice)));
        }
    }
}
