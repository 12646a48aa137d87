using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Sources;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>indexes, admin/indexes: putting, reading and deleting definitions.</summary>
internal static class IndexDefinitionHandlers
{
    /// <summary>The most bytes of one request: hundreds of the largest definitions.</summary>
    private const int BodyBytesMax = 16 << 20;

    private static readonly Body s_definitions = Body.Object(
        "The definitions. All of them are compiled before the first is stored.",
        Input.Json("Indexes", "Objects with Name, Maps, Reduce, Fields and more.", $"[{IndexRequests.DefinitionExample}]").Required());

    public static void Map(RouteTable routes)
    {
        routes.Database("PUT", "/admin/indexes", Access.Admin, RouteTraits.Audited, IndexRequests.With(PutAsync))
            .Says("Puts definitions of indexes, in C# or JavaScript.")
            .Sends(s_definitions)
            .Answers(201, "Results names the indexes.");
        routes.Database("PUT", "/indexes", Access.ReadWrite, RouteTraits.Audited, IndexRequests.With(PutAsync))
            .Says("Puts definitions of indexes in JavaScript.")
            .Sends(s_definitions)
            .Answers(201, "Results names the indexes.");
        routes.Database("GET", "/indexes", Access.Read, RouteTraits.InMultiGet, IndexRequests.With(Get))
            .Says("Reads definitions of indexes.")
            .Takes(Input.Text("name", "Only this index.", "Orders/ByCompany"), Inputs.NamesOnly)
            .Takes(Inputs.Page)
            .Answers(200, "Results has the definitions, or the names.")
            .AnswersEmpty(404, "There is no index of the name.");
        routes.Database("DELETE", "/indexes", Access.ReadWrite, RouteTraits.Audited, IndexRequests.With(DeleteAsync))
            .Says("Deletes an index.")
            .Takes(Input.Text("name", "The name of the index.", "Shop/Spare").Required())
            .AnswersEmpty(204, "It is deleted.")
            .AnswersEmpty(404, "There is no index of the name.");
    }

    // All of them are compiled before the first is stored, so that a mistake in one of them changes nothing.
    private static async ValueTask PutAsync(RequestContext context, IndexCatalog indexes)
    {
        List<IndexDefinition> definitions = [];
        List<IndexSources> sources = [];
        using (JsonBody body = await JsonBody.ReadObjectAsync(context, "A list of index definitions", BodyBytesMax).ConfigureAwait(false))
        {
            if (body.Root.Member("Indexes") is not { ValueKind: JsonValueKind.Array } list)
            {
                throw new RequestRefusedException(Problem.Argument("The member 'Indexes' is missing: send {\"Indexes\":[definition, ...]}."));
            }

            definitions.AddRange(list.EnumerateArray().Select(IndexDefinitionReader.Read));
        }

        string[] analyzers = IndexRequests.Of(context).Analyzers.ListNames();
        foreach (IndexDefinition definition in definitions)
        {
            Demand(context, indexes, definition, "PUT /admin/indexes");
            sources.Add(await indexes.CheckAsync(definition, analyzers, context.Aborted).ConfigureAwait(false));
        }

        for (int i = 0; i < definitions.Count; i++)
        {
            await indexes.PutAsync(definitions[i], sources[i], context.Aborted).ConfigureAwait(false);
        }

        await context.Json(201, json =>
        {
            json.WriteStartObject();
            json.WriteStartArray("Results"u8);
            foreach (IndexDefinition definition in definitions)
            {
                json.WriteStartObject();
                json.WriteString("Index"u8, definition.Name);
                json.WriteNumber("RaftCommandIndex"u8, context.Databases.CommitIndex);
                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }).ConfigureAwait(false);
    }

    /// <summary>Refuses a definition that the caller may not run, or that this version cannot, so that nobody waits for results that never come.</summary>
    /// <param name="forAdministrators">The request that administrators send.</param>
    /// <exception cref="RequestRefusedException">It is such a definition.</exception>
    public static void Demand(RequestContext context, IndexCatalog indexes, IndexDefinition definition, string forAdministrators)
    {
        bool isAdministrator = context.Access >= Access.Admin;
        if (!isAdministrator && !definition.IsJavaScript)
        {
            context.Demand(Access.Admin, $"Index '{definition.Name}' in C#");
            throw new RequestRefusedException(new Problem(403, ProblemTypes.Unauthorized,
                $"Index '{definition.Name}' is written in C#, which only administrators may put: send it with {forAdministrators}."));
        }

        if (!isAdministrator && indexes.Settings.NeedsAdministratorForScripts)
        {
            context.Demand(Access.Admin, $"Index '{definition.Name}' (Indexing.Static.RequireAdminToDeployJavaScriptIndexes)");
            throw new RequestRefusedException(new Problem(403, ProblemTypes.Unauthorized,
                $"Only administrators may put definitions (Indexing.Static.RequireAdminToDeployJavaScriptIndexes): send it with {forAdministrators}."));
        }

        if (definition.SourceType == IndexSourceType.TimeSeries)
        {
            throw new RequestRefusedException(Problem.NotSupported("Indexes of time series are"));
        }
    }

    private static ValueTask Get(RequestContext context, IndexCatalog indexes)
    {
        string? name = context.Query.GetText("name");
        if (!string.IsNullOrEmpty(name) && indexes.Find(name) is null)
        {
            return context.Empty(404);
        }

        DatabaseIndex[] listed = string.IsNullOrEmpty(name)
            ? [.. indexes.All
                .Skip((int)Math.Min(context.Query.GetCount("start", 0), int.MaxValue))
                .Take((int)Math.Min(context.Query.GetCount("pageSize", int.MaxValue), int.MaxValue))]
            : [indexes.Find(name)!];
        bool namesOnly = context.Query.GetFlag("namesOnly");
        return context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteStartArray("Results"u8);
            foreach (DatabaseIndex index in listed)
            {
                if (namesOnly)
                {
                    json.WriteStringValue(index.Name);
                }
                else
                {
                    IndexDefinitionAnswers.WriteListed(json, index);
                }
            }

            json.WriteEndArray();
            json.WriteEndObject();
        });
    }

    private static async ValueTask DeleteAsync(RequestContext context, IndexCatalog indexes)
    {
        bool isDeleted = await indexes.DeleteAsync(context.Query.GetRequiredText("name"), context.Aborted).ConfigureAwait(false);
        await context.Empty(isDeleted ? 204 : 404).ConfigureAwait(false);
    }
}
