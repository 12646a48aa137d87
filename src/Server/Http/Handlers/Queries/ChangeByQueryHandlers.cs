using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Operations;
using Jackdaw.Documents.Patching;
using Jackdaw.Json.Tape;
using Jackdaw.Queries.Changes;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Rows;
using Jackdaw.Queries.Searching;
using Jackdaw.Scripting.Patches;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Handlers.Documents;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Queries;

/// <summary>DELETE and PATCH of queries: an operation in the background that changes what the query finds.</summary>
internal static class ChangeByQueryHandlers
{
    /// <summary>Changes the documents that were found. Throws when the outcome is a failure.</summary>
    private delegate Task Change(CancellationToken ended);

    private static readonly Input s_staleTimeout = Input.Span("staleTimeout", "How long it waits until the index has read all documents.");

    private static readonly IReadOnlyList<Input> s_inputs =
    [
        .. QueryRequestReader.Inputs,
        s_staleTimeout,
        BackgroundOperations.Number,
        Input.Flag("allowStale", "Whether an index that has not read all documents is good enough."),
        Input.Count("maxOpsPerSec", "The most documents of a second.", "1000"),
        Input.Flag("details", "Whether the result of the operation lists the documents."),
    ];

    private static readonly Body s_patch = Body.Object(
        "The query, which has an update.",
        Input.Json("Query", "An object with Query and QueryParameters.", """{"Query":"from Shippers update { this.Note = 'x' }"}""").Required());

    public static void Map(RouteTable routes)
    {
        routes.Database("DELETE", "/queries", Access.ReadWrite, RouteTraits.AuditedWithDetails, DeleteAsync)
            .Says("Begins to delete the documents that a query finds.")
            .Takes(s_inputs)
            .Sends(Body.Object("The query.", Input.Text("Query", "The query in RQL.", "from Shippers where Name = 'nobody'").Required()))
            .Answers(202, "OperationId has the number of the operation.");
        routes.Database("PATCH", "/queries", Access.ReadWrite, RouteTraits.AuditedWithDetails, PatchAsync)
            .Says("Begins to change the documents that a query finds with the script of its update.")
            .Takes(s_inputs)
            .Sends(s_patch)
            .Answers(202, "OperationId has the number of the operation.");
        routes.Database("PATCH", "/queries/test", Access.ReadWrite, RouteTraits.None, TestAsync)
            .Says("Tries the script of an update on one document and writes nothing.")
            .Takes(Inputs.DocumentId, s_staleTimeout)
            .Takes(QueryRequestReader.Inputs)
            .Sends(s_patch)
            .Answers(200, "The document before and after, and what the script wrote and loaded.")
            .AnswersEmpty(304, "The script changed nothing.");
    }

    private static async ValueTask DeleteAsync(RequestContext context)
    {
        QueryRequest request;
        using (RequestBody sent = await QueryHandlers.ReadBodyAsync(context).ConfigureAwait(false))
        {
            request = Detach(context, QueryRequestReader.Read(sent.Memory, context.Query), takesUpdate: false);
        }

        await BeginAsync(context, request, QueryChangeKind.Delete, run => operation =>
        {
            var deletion = new DeleteByQuery(context.Database, run, operation, PerSecond(context), context.Server.Time)
            {
                WithDetails = IsSet(context, "details"),
            };
            return deletion.RunAsync;
        }).ConfigureAwait(false);
    }

    private static async ValueTask PatchAsync(RequestContext context)
    {
        QueryRequest request;
        using (RequestBody sent = await QueryHandlers.ReadBodyAsync(context).ConfigureAwait(false))
        {
            request = Detach(context, QueryRequestReader.Read(InnerQuery(sent.Memory), context.Query), takesUpdate: true);
        }

        await BeginAsync(context, request, QueryChangeKind.Patch, run =>
        {
            // Mistakes in the script are reported before an operation begins.
            ScriptPatch script = ScriptOf(context, run.Plan.Syntax, request);
            return operation =>
            {
                var patch = new PatchByQuery(
                    context.Database, run, context.Server.Scripts, operation, PerSecond(context), context.Server.Time)
                {
                    WithDetails = IsSet(context, "details"),
                };
                return ended => patch.RunAsync(script, ended);
            };
        }).ConfigureAwait(false);
    }

    // Runs the script on one document and writes nothing.
    private static async ValueTask TestAsync(RequestContext context)
    {
        context.Query.TryGet("id", out QueryParameter parameter);
        (byte[] id, byte[] key) = ParameterKeys.ForDelete(parameter);
        PatchCommand command;
        using (RequestBody sent = await QueryHandlers.ReadBodyAsync(context).ConfigureAwait(false))
        {
            QueryRequest request = Detach(context, QueryRequestReader.Read(InnerQuery(sent.Memory), context.Query), takesUpdate: true);
            QuerySyntax syntax = QueryText.Of(request.Text).Syntax;
            DeleteByQuery.Check(syntax, QueryChangeKind.Patch);
            command = new PatchCommand
            {
                Patch = new PatchScript(request.Text, request.Parameters) { Parsed = ScriptOf(context, syntax, request) },
                ReturnsDocument = true,
            };
        }

        command.SetId(id, key);
        await PatchAnswers.RunAsync(context, command, isTried: true, isTraced: true).ConfigureAwait(false);
    }

    private static ScriptPatch ScriptOf(RequestContext context, QuerySyntax syntax, QueryRequest request) => QueryPatchScript.Make(
        syntax, request.Parameters, context.Server.Scripts, PatchScripts.FunctionsOf(context.Database.Extensions));

    // Clients wrap the query of a patch: {"Query":{"Query":"..."}}.
    private static ReadOnlyMemory<byte> InnerQuery(ReadOnlyMemory<byte> body)
    {
        using var tape = new JsonTape();
        foreach (TapeMember member in tape.Read(body.Span).Members)
        {
            if (member.Value.IsObject && System.Text.Ascii.EqualsIgnoreCase(member.NameSource, "Query"u8))
            {
                body.Span.Overlaps(member.Value.Source, out int offset);
                return body.Slice(offset, member.Value.Source.Length);
            }
        }

        return body;
    }

    private static QueryRequest Detach(RequestContext context, QueryRequest request, bool takesUpdate) =>
        request.Detach(QueryRequestReader.ToPatience(context.Query.GetText("staleTimeout")), takesUpdate);

    private static long? PerSecond(RequestContext context) =>
        context.Query.GetCount("maxOpsPerSec", 0) is var perSecond and > 0 ? perSecond : null;

    // Clients send flags without a value for false.
    private static bool IsSet(RequestContext context, string flag) =>
        string.Equals(context.Query.GetText(flag), "true", StringComparison.OrdinalIgnoreCase);

    private static async ValueTask BeginAsync(
        RequestContext context, QueryRequest request, QueryChangeKind kind, Func<QueryRun, Func<Operation, Change>> prepare)
    {
        QueryRun run = QueryRuns.Prepare(context.Server, context.Database, request, CancellationToken.None);
        Operation operation;
        Change change;
        try
        {
            DeleteByQuery.Check(run.Plan.Syntax, kind);
            Func<Operation, Change> begin = prepare(run);
            context.Audited?.Begin(KeyValuePair.Create("query", run.Plan.Syntax.WithoutScripts()));
            operation = BackgroundOperations.Begin(context, request.Text);
            change = begin(operation);
        }
        catch
        {
            run.Dispose();
            throw;
        }

        bool allowStale = IsSet(context, "allowStale");
        BackgroundOperations.Run(context, operation, ended => RunAsync(run, change, kind, allowStale, ended));
        await BackgroundOperations.AnswerAsync(context, 202, operation).ConfigureAwait(false);
    }

    private static async Task RunAsync(QueryRun run, Change change, QueryChangeKind kind, bool allowStale, CancellationToken ended)
    {
        using (run)
        {
            await run.SearchAsync(SearchRun.FirstPatience, ended).ConfigureAwait(false);
            DeleteByQuery.Check(run, kind, allowStale);
            await change(ended).ConfigureAwait(false);
        }
    }
}
