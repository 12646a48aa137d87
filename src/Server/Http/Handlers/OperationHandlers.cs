using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Operations;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>Answers requests about long-running operations: their numbers and states, and requests to kill them.</summary>
internal static class OperationHandlers
{
    private const string Namespace = "Raven.Client.Documents.Operations";

    public static void Map(RouteTable routes)
    {
        routes.Database("GET", "/operations/next-operation-id", Access.Read, RouteTraits.None, NextId)
            .Says("Gives a free number for an operation.")
            .Answers(200, "Id has it.");
        routes.Database("GET", "/operations", Access.Read, RouteTraits.InMultiGet, context => List(context, context.Database.Operations))
            .Says("Lists the operations of the database that run or have ended lately, the newest first.")
            .Answers(200, "Results has their numbers, kinds, queries, times and states.");
        routes.Server("GET", "/admin/operations", Access.Operator, RouteTraits.None, context => List(context, context.Server.Operations))
            .Says("Lists the operations of the server that run or have ended lately, the newest first.")
            .Answers(200, "Results has their numbers, kinds, times and states.");
        routes.Database("GET", "/operations/state", Access.Read, RouteTraits.InMultiGet, State)
            .Says("Tells how far an operation of the database has come.")
            .Takes(Inputs.OperationId)
            .Answers(200, "Its status, progress and result.")
            .AnswersEmpty(404, "There is no such operation any more.");
        routes.Database("POST", "/operations/kill", Access.ReadWrite, RouteTraits.None, context => Kill(context, context.Database.Operations))
            .Says("Ends an operation of the database.")
            .Takes(Inputs.OperationId)
            .AnswersEmpty(204, "It ends.")
            .AnswersEmpty(404, "There is no such operation any more.");
        routes.Server("GET", "/operations/state", Access.Operator, RouteTraits.None, StateOfServer)
            .Says("Tells how far an operation of the server has come.")
            .Takes(Inputs.OperationId)
            .Answers(200, "Its status, progress and result.")
            .AnswersEmpty(404, "There is no such operation any more.");
        routes.Server("POST", "/admin/operations/kill", Access.Operator, RouteTraits.Audited, context => Kill(context, context.Server.Operations))
            .Says("Ends an operation of the server.")
            .Takes(Inputs.OperationId)
            .AnswersEmpty(204, "It ends.")
            .AnswersEmpty(404, "There is no such operation any more.");
    }

    private static ValueTask NextId(RequestContext context)
    {
        long id = context.Database.Operations.NextId();
        return context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteNumber("Id"u8, id);
            json.WriteString("NodeTag"u8, context.Server.NodeTag);
            json.WriteEndObject();
        });
    }

    private static ValueTask List(RequestContext context, OperationRegistry operations)
    {
        DocumentExtensions extensions = context.HasDatabase ? context.Database.Extensions : DocumentExtensions.None;
        return context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteStartArray("Results"u8);
            foreach (Operation operation in operations.List())
            {
                WriteListed(json, operation, extensions);
            }

            json.WriteEndArray();
            json.WriteEndObject();
        });
    }

    private static void WriteListed(Utf8JsonWriter json, Operation operation, DocumentExtensions extensions)
    {
        (OperationStatus status, Exception? failure, BulkInsertCounts counts) = operation.State;
        json.WriteStartObject();
        json.WriteNumber("Id"u8, operation.Id);
        json.WriteString("Kind"u8, KindOf(operation));
        JsonAnswers.WriteBeginning(json, "Query", operation.Query);
        json.WriteNumber("Milliseconds"u8, Math.Round(operation.Elapsed.TotalMilliseconds, 1));
        json.WriteString("Status"u8, status.ToString());
        json.WritePropertyName("Progress"u8);
        WriteProgress(json, operation, counts, extensions);
        JsonAnswers.WriteBeginning(json, "Failure", failure is null ? null : ProblemMapping.ToProblem(failure).Message);
        json.WriteEndObject();
    }

    // "EnforceConfiguration" for what clients know as "Revisions.EnforceConfigurationResult".
    private static string KindOf(Operation operation) => operation switch
    {
        { Query: not null } => "ChangeByQuery",
        { Figures: { } figures } => figures.ResultType.Split('.')[^1].Replace("Result", "", StringComparison.Ordinal),
        _ => "BulkInsert",
    };

    private static ValueTask State(RequestContext context) =>
        context.Database.Operations.TryFind(Id(context), out Operation operation)
            ? context.Json(200, json => WriteState(json, operation, operation.State, context.Database.Extensions))
            : context.Empty(404);

    private static ValueTask StateOfServer(RequestContext context) =>
        context.Server.Operations.TryFind(Id(context), out Operation operation)
            ? context.Json(200, json => WriteState(json, operation, operation.State, DocumentExtensions.None))
            : context.Empty(404);

    private static ValueTask Kill(RequestContext context, OperationRegistry operations)
    {
        if (!operations.TryFind(Id(context), out Operation operation))
        {
            return context.Empty(404);
        }

        operation.Kill();
        return context.Empty(204);
    }

    private static long Id(RequestContext context)
    {
        context.Query.GetRequiredText("id");
        return context.Query.GetCount("id", 0);
    }

    /// <summary>Writes a state of an operation as clients read it.</summary>
    public static void WriteState(
        Utf8JsonWriter json, Operation operation, (OperationStatus Status, Exception? Failure, BulkInsertCounts Progress) state,
        DocumentExtensions extensions)
    {
        (OperationStatus status, Exception? failure, BulkInsertCounts counts) = state;
        json.WriteStartObject();
        json.WriteString("Status"u8, status.ToString());
        json.WritePropertyName("Progress"u8);
        WriteProgress(json, operation, counts, extensions);
        json.WritePropertyName("Result"u8);
        if (failure is not null)
        {
            WriteProblem(json, ProblemMapping.ToProblem(failure));
        }
        else if (status == OperationStatus.Completed)
        {
            WriteResult(json, operation, counts, extensions);
        }
        else
        {
            json.WriteNullValue();
        }

        json.WriteEndObject();
    }

    private static void WriteProgress(Utf8JsonWriter json, Operation operation, BulkInsertCounts counts, DocumentExtensions extensions)
    {
        if (operation.Figures is { } figures)
        {
            json.WriteStartObject();
            json.WriteString("$type"u8, $"{Namespace}.DeterminateProgress, Raven.Client");
            figures.WriteProgress(json);
            json.WriteEndObject();
            return;
        }

        if (operation.Query is null)
        {
            WriteCounts(json, "BulkInsertProgress", counts, extensions);
            return;
        }

        json.WriteStartObject();
        json.WriteString("$type"u8, $"{Namespace}.DeterminateProgress, Raven.Client");
        json.WriteNumber("Processed"u8, counts.Documents);
        json.WriteNumber("Total"u8, Math.Max(counts.Total, counts.Documents));
        json.WriteNumber("BatchCount"u8, counts.Batches);
        json.WriteString("LastProcessedId"u8, counts.LastId);
        json.WriteEndObject();
    }

    private static void WriteResult(Utf8JsonWriter json, Operation operation, BulkInsertCounts counts, DocumentExtensions extensions)
    {
        if (operation.Figures is { } figures)
        {
            json.WriteStartObject();
            json.WriteString("$type"u8, $"{Namespace}.{figures.ResultType}, Raven.Client");
            figures.WriteResult(json);
            json.WriteEndObject();
            return;
        }

        if (operation.Query is null)
        {
            WriteCounts(json, "BulkOperationResult", counts, extensions);
            return;
        }

        json.WriteStartObject();
        json.WriteString("$type"u8, $"{Namespace}.BulkOperationResult, Raven.Client");
        json.WriteNumber("Total"u8, counts.Documents);
        json.WriteNumber("DocumentsProcessed"u8, counts.Documents);
        WriteExtended(json, counts, extensions);
        json.WriteString("Query"u8, operation.Query);
        IReadOnlyList<ChangedDocument> details = operation.Details;
        WriteDetails(json, details);
        bool isCut = details.Count > 0 && details.Count < counts.Documents;
        string cut = isCut ? $" Details has the first {details.Count} of them." : "";
        json.WriteString("Message"u8, $"Processed {counts.Documents} items.{cut}");
        json.WriteEndObject();
    }

    private static void WriteDetails(Utf8JsonWriter json, IReadOnlyList<ChangedDocument> details)
    {
        json.WriteStartArray("Details"u8);
        foreach (ChangedDocument changed in details)
        {
            json.WriteStartObject();
            json.WriteString("Id"u8, changed.Id);
            if (changed.Status is { } status)
            {
                json.WriteString("ChangeVector"u8, changed.ChangeVector);
                json.WriteString("Status"u8, status);
            }
            else
            {
                json.WriteNumber("Etag"u8, changed.Etag);
            }

            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void WriteCounts(Utf8JsonWriter json, string type, BulkInsertCounts counts, DocumentExtensions extensions)
    {
        json.WriteStartObject();
        json.WriteString("$type"u8, $"{Namespace}.{type}, Raven.Client");
        json.WriteString("Message"u8, $"{counts.Documents} documents in {counts.Batches} batches are stored.");
        json.WriteNumber("Total"u8, counts.All);
        json.WriteNumber("BatchCount"u8, counts.Batches);
        json.WriteString("LastProcessedId"u8, counts.LastId);
        json.WriteNumber("DocumentsProcessed"u8, counts.Documents);
        WriteExtended(json, counts, extensions);
        json.WriteEndObject();
    }

    private static void WriteExtended(Utf8JsonWriter json, BulkInsertCounts counts, DocumentExtensions extensions)
    {
        foreach (DocumentExtension extension in extensions.All)
        {
            if (extension is ICommandedExtension { ProcessedMember: var member })
            {
                json.WriteNumber(member, counts.Extended?[extension.Slot] ?? 0);
            }
        }
    }

    private static void WriteProblem(Utf8JsonWriter json, Problem problem)
    {
        json.WriteStartObject();
        json.WriteString("$type"u8, $"{Namespace}.OperationExceptionResult, Raven.Client");
        json.WriteString("Type"u8, problem.Type);
        json.WriteString("Message"u8, problem.Message);
        json.WriteString("Error"u8, $"{problem.Type}: {problem.Message}");
        json.WriteNumber("StatusCode"u8, problem.Status);
        json.WriteEndObject();
    }
}
