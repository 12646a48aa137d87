using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Search.Results;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>Shows the contents and the definition of an index, for tools.</summary>
internal static class IndexTermHandlers
{
    /// <summary>The most terms of one answer.</summary>
    private const int TermsMax = 100_000;

    public static void Map(RouteTable routes)
    {
        routes.Database("GET", "/indexes/terms", Access.Read, RouteTraits.InMultiGet, IndexRequests.With(TermsAsync))
            .Says("Lists the terms of a field of an index, in order.")
            .Takes(
                IndexRequests.Name,
                Input.Text("field", "The field of the index.", "Company").Required(),
                Input.Text("fromValue", "Only terms after this one.", "companies/1-a"),
                Input.Text("startsWith", "Only terms that begin with this text.", "companies/"),
                Input.Flag("withCounts", "Whether the answer says how many entries have each term."),
                Input.Count("pageSize", "The most terms of the answer.", "10").Or("100000"))
            .Answers(200, "Terms has them, Counts the numbers of their entries.");
        routes.Database("POST", "/indexes/has-changed", Access.Read, RouteTraits.None,
            IndexRequests.With(HasChangedAsync))
            .Says("Tells whether putting a definition would change an index.")
            .Sends(Body.Object("The definition.", IndexRequests.Definition))
            .Answers(200, "Changed says so.");
        routes.Database("GET", "/indexes/source", Access.Read, RouteTraits.InMultiGet, IndexRequests.With(Source))
            .Says("Gives the code of an index as one text.")
            .Takes(IndexRequests.Name)
            .Answers(200, "Source has it.");
        routes.Database("GET", "/indexes/debug", Access.Read, RouteTraits.InMultiGet, IndexRequests.With(DebugAsync))
            .Says("Shows what an index has inside.")
            .Takes(IndexRequests.Name, Input.OneOf("op", "What is shown.", "entries-fields").Required())
            .Answers(200, "The fields of its entries.");
        routes.Database("GET", "/indexes/history", Access.Read, RouteTraits.InMultiGet, IndexRequests.With(History))
            .Says("Lists earlier definitions of an index, which this version does not keep.")
            .Takes(IndexRequests.Name)
            .Answers(200, "History is empty.");
        routes.Database("GET", "/indexes/suggest-index-merge", Access.Read, RouteTraits.InMultiGet,
            IndexRequests.With(SuggestMerges))
            .Says("Suggests indexes that could be one; there are no suggestions yet.")
            .Answers(200, "The lists are empty.");
    }

    // There are no suggestions yet.
    private static ValueTask SuggestMerges(RequestContext context, IndexCatalog indexes) => context.Json(200, static json =>
    {
        json.WriteStartObject();
        json.WriteStartArray("Suggestions"u8);
        json.WriteEndArray();
        json.WriteStartObject("Unmergables"u8);
        json.WriteEndObject();
        json.WriteStartArray("Errors"u8);
        json.WriteEndArray();
        json.WriteEndObject();
    });

    private static async ValueTask TermsAsync(RequestContext context, IndexCatalog indexes)
    {
        string name = context.Query.GetRequiredText("name");
        string field = context.Query.GetRequiredText("field");
        if (indexes.Find(name) is not { } index)
        {
            await context.Send(ProblemMapping.ToProblem(indexes.Missing(name)) with { Status = 404 }).ConfigureAwait(false);
            return;
        }

        IndexBuilder builder = await IndexRequests.OpenAsync(context, index).ConfigureAwait(false);
        int count = (int)Math.Min(context.Query.GetCount("pageSize", TermsMax), TermsMax);
        bool isCounted = context.Query.GetFlag("withCounts");
        IReadOnlyList<TermCount> terms = IndexFieldTerms.List(
            builder, field, context.Query.GetText("startsWith") ?? "", context.Query.GetText("fromValue"), count);
        await context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteString("IndexName"u8, index.Name);
            json.WriteNumber("ResultEtag"u8, builder.Progress.Last.Value);
            JsonAnswers.WriteTexts(json, "Terms", terms.Select(term => term.Term));
            if (isCounted)
            {
                WriteCounts(json, terms);
            }

            json.WriteEndObject();
        }).ConfigureAwait(false);
    }

    private static void WriteCounts(Utf8JsonWriter json, IReadOnlyList<TermCount> terms)
    {
        json.WriteStartArray("Counts"u8);
        foreach (TermCount term in terms)
        {
            json.WriteNumberValue(term.Entries);
        }

        json.WriteEndArray();
    }

    private static async ValueTask HasChangedAsync(RequestContext context, IndexCatalog indexes)
    {
        bool hasChanged;
        using (JsonBody body = await JsonBody.ReadObjectAsync(context, "An index definition").ConfigureAwait(false))
        {
            hasChanged = indexes.WouldChange(IndexDefinitionReader.Read(body.Root));
        }

        await context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteBoolean("Changed"u8, hasChanged);
            json.WriteEndObject();
        }).ConfigureAwait(false);
    }

    private static ValueTask Source(RequestContext context, IndexCatalog indexes)
    {
        DatabaseIndex index = indexes.Require(context.Query.GetRequiredText("name"));
        IndexDefinition definition = IndexDefinitionAnswers.Of(index);
        string[] texts = [.. definition.AdditionalSources.Values, .. definition.Maps, definition.Reduce ?? ""];
        return context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteString("Index"u8, index.Name);
            json.WriteString("Source"u8, string.Join("\n\n", texts.Where(text => text.Length > 0)));
            json.WriteEndObject();
        });
    }

    private static async ValueTask DebugAsync(RequestContext context, IndexCatalog indexes)
    {
        DatabaseIndex index = indexes.Require(context.Query.GetRequiredText("name"));
        string operation = context.Query.GetRequiredText("op");
        if (!operation.Equals("entries-fields", StringComparison.OrdinalIgnoreCase))
        {
            throw new RequestRefusedException(Problem.NotSupported($"The operation '{operation}' on indexes (entries-fields is there) is"));
        }

        IndexBuilder builder = await IndexRequests.OpenAsync(context, index).ConfigureAwait(false);
        (IReadOnlyList<string> fixedFields, IReadOnlyList<string> computed) = IndexFieldTerms.ListFields(builder);
        await context.Json(200, json =>
        {
            json.WriteStartObject();
            JsonAnswers.WriteTexts(json, "Static", fixedFields);
            JsonAnswers.WriteTexts(json, "Dynamic", computed);
            json.WriteString("SearchEngineType"u8, index.Record.Engine);
            json.WriteEndObject();
        }).ConfigureAwait(false);
    }

    // Earlier definitions are not stored.
    private static ValueTask History(RequestContext context, IndexCatalog indexes)
    {
        DatabaseIndex index = indexes.Require(context.Query.GetRequiredText("name"));
        return context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteString("Index"u8, index.Name);
            json.WriteStartArray("History"u8);
            json.WriteEndArray();
            json.WriteEndObject();
        });
    }
}
