using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Reading;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>indexes/try: runs a definition on some documents, and stores neither the definition nor what it makes.</summary>
internal static class IndexTrialHandlers
{
    private const int DocumentsDefault = 20;
    private const int DocumentsMax = 200;

    private static readonly Body s_trial = Body.Object(
        "The definition.",
        Input.Json("Definition", "An object with Name, Maps, Reduce, Fields and more.", IndexRequests.DefinitionExample).Required(),
        Input.Count("MaxDocuments", $"How many documents of each collection are read, 1 to {DocumentsMax}.", "20").Or($"{DocumentsDefault}"));

    public static void Map(RouteTable routes)
    {
        routes.Database("POST", "/admin/indexes/try", Access.Admin, RouteTraits.Audited, IndexRequests.With(PostAsync))
            .Says("Runs a definition, in C# or JavaScript, on some documents and stores nothing.")
            .Sends(s_trial)
            .Answers(200, "The entries and groups that it makes, and its failures.");
        routes.Database("POST", "/indexes/try", Access.ReadWrite, RouteTraits.Audited, IndexRequests.With(PostAsync))
            .Says("Runs a definition in JavaScript on some documents and stores nothing.")
            .Sends(s_trial)
            .Answers(200, "The entries and groups that it makes, and its failures.");
    }

    private static async ValueTask PostAsync(RequestContext context, IndexCatalog indexes)
    {
        (IndexDefinition definition, int wanted) = await ReadAsync(context).ConfigureAwait(false);
        IndexDefinitionHandlers.Demand(context, indexes, definition, "POST /admin/indexes/try");
        string[] analyzers = IndexRequests.Of(context).Analyzers.ListNames();
        using IndexMapping mapping = await indexes.CompileAsync(definition, analyzers, context.Aborted).ConfigureAwait(false);
        using var trial = new IndexTrial(mapping, definition.ArchivedDataProcessingBehavior ?? ArchivedDataProcessing.ExcludeArchived);
        IReadOnlyList<TriedGroup> groups;
        using (RenewedRead read = context.OpenRead(ReaderKind.List))
        {
            groups = trial.Run(context.Database, read.Scope, wanted, context.Aborted);
        }

        await context.Json(StatusCodes.Status200OK, json => Write(json, mapping, trial, groups)).ConfigureAwait(false);
    }

    private static async ValueTask<(IndexDefinition Definition, int Wanted)> ReadAsync(RequestContext context)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A definition to try").ConfigureAwait(false);
        if (body.Root.Member("Definition") is not { ValueKind: JsonValueKind.Object } definition)
        {
            throw new RequestRefusedException(Problem.Argument("The member 'Definition' is missing: send {\"Definition\":{\"Name\":...,\"Maps\":[...]}}."));
        }

        int wanted = body.Root.Member("MaxDocuments") switch
        {
            null => DocumentsDefault,
            { ValueKind: JsonValueKind.Number } number when number.TryGetInt32(out int given) && given is > 0 and <= DocumentsMax => given,
            { } other => throw new RequestRefusedException(Problem.Argument($"'MaxDocuments' is {other.GetRawText()}; give 1 to {DocumentsMax}.")),
        };
        return (IndexDefinitionReader.Read(definition), wanted);
    }

    private static void Write(Utf8JsonWriter json, IndexMapping mapping, IndexTrial trial, IReadOnlyList<TriedGroup> groups)
    {
        json.WriteStartObject();
        json.WriteNumber("Documents"u8, trial.Documents);
        json.WriteBoolean("IsCut"u8, trial.IsCut);
        json.WriteBoolean("HasReduce"u8, mapping.HasReduce);
        JsonAnswers.WriteTexts(json, "Sources", mapping.Sources.Mapped.Select(source => source.Description));
        WriteRows(json, "Entries", trial.Entries.Select(entry => entry.Json), at => json.WriteString("Document"u8, trial.Entries[at].Document));
        WriteRows(json, "Groups", groups.Select(group => group.Json), at => json.WriteNumber("Rows"u8, groups[at].Rows));
        json.WriteStartArray("Failures"u8);
        foreach (MappingFailure failure in trial.Failures)
        {
            json.WriteStartObject();
            json.WriteString("Document"u8, failure.DocumentId);
            json.WriteString("Action"u8, failure.Action);
            json.WriteString("Error"u8, failure.Message);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <param name="writeFirst">Writes what stands before the fields of a row, by its number.</param>
    private static void WriteRows(Utf8JsonWriter json, string name, IEnumerable<byte[]> rows, Action<int> writeFirst)
    {
        json.WriteStartArray(name);
        foreach ((int at, byte[] fields) in rows.Index())
        {
            json.WriteStartObject();
            writeFirst(at);
            json.WritePropertyName("Fields"u8);
            json.WriteRawValue(fields, skipInputValidation: true);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }
}
