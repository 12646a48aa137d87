using System.Buffers;
using System.Diagnostics;
using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Reading;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Rows;
using Jackdaw.Queries.Searching;
using Jackdaw.Server.Http.Answers;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Handlers.Queries;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Http.Reading;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>multi_get: the lazy operations of a session. Loads and queries read one snapshot of the documents, as long as <see cref="RenewedRead"/> holds it.
/// Indexes and all other routes are asked before it begins.</summary>
internal sealed class MultiGetHandlers(RouteTable routes)
{
    public static void Map(RouteTable routes) =>
        routes.Database("POST", "/multi_get", Access.Read, RouteTraits.None, new MultiGetHandlers(routes).PostAsync)
            .Says("Answers several requests that read, from one snapshot.")
            .Sends(Body.Object("The requests.", Input.Json("Requests", "Each has Url, Query, Method, Headers and Content.",
                """[{"Url":"/databases/Shop/docs","Query":"?id=orders/1-A","Method":"GET"}]""").Required()))
            .Answers(200, "Results has Result, StatusCode and Headers of each.");

    private async ValueTask PostAsync(RequestContext context)
    {
        IReadOnlyList<MultiGetRequest> requests;
        using (RequestBody sent = await RequestBodyReader.ReadAsync(context, MultiGetParser.BodyBytesMax, "A multi-get")
            .ConfigureAwait(false))
        {
            requests = MultiGetParser.Parse(new ReadOnlySequence<byte>(sent.Memory));
        }

        var entries = new List<Entry>(requests.Count);
        try
        {
            foreach (MultiGetRequest request in requests)
            {
                var entry = new Entry(request, new ResponseBuffer(context.Server.Answers));
                entries.Add(entry);
                await PrepareAsync(context, entry).ConfigureAwait(false);
            }

            using var body = new ResponseBuffer(context.Server.Answers);
            Answer(context, entries, body);
            await context.Send(200, body).ConfigureAwait(false);
        }
        finally
        {
            entries.ForEach(static entry => entry.Dispose());
        }
    }

    // Runs everything that has to be awaited, before the snapshot of the documents begins.
    private async ValueTask PrepareAsync(RequestContext context, Entry entry)
    {
        try
        {
            MultiGetRequest request = entry.Request;
            RouteMethod? method = routes.Find(request.Url, out ReadOnlySpan<char> name)?.Find(request.Method);
            if (!name.Equals(context.Database.Name, StringComparison.OrdinalIgnoreCase))
            {
                throw new RequestRefusedException(Problem.Argument(
                    $"'{request.Url}' is not a path of database '{context.Database.Name}'; all requests of a multi_get go to its own database."));
            }

            if (method?.Has(RouteTraits.InMultiGet) != true)
            {
                throw new RequestRefusedException(NotPossible(request));
            }

            entry.Method = method;
            switch (method.Route.Pattern)
            {
                case "/docs":
                    method.Demand(context, name);
                    return; // read with the others
                case "/queries":
                    method.Demand(context, name);
                    entry.Run = await QueryRuns.PrepareAndSearchAsync(context, ReadQuery(entry), SearchRun.FirstPatience).ConfigureAwait(false);
                    return;
                default:
                    ReadAnswer answer = await InnerRequest.RunAsync(context, request, method, entry.Result).ConfigureAwait(false);
                    entry.Answer = answer.Status == 404 && entry.Result.Length == 0 ? new ReadAnswer(404, null) : answer;
                    return;
            }
        }
        catch (IndexException missing) when (missing.Fault == IndexFault.Missing)
        {
            entry.Answer = new ReadAnswer(404, null); // clients take any result for the answer of the query, even with an error status
        }
        catch (Exception failure) when (IsAnswer(failure))
        {
            entry.Fail(failure);
        }
    }

    // These failures have answers of their own. Any other failure is a fault of the server and fails the whole request.
    private static bool IsAnswer(Exception failure) =>
        failure is not OperationCanceledException && ProblemMapping.ToProblem(failure).Type != failure.GetType().FullName;

    private static QueryRequest ReadQuery(Entry entry)
    {
        var url = new QueryParameters(entry.Request.Query, entry.Method?.Description);
        QueryRequest query = entry.Request.Method == "POST" ? QueryRequestReader.Read(entry.Request.Content, url) : QueryRequestReader.Read(url);
        query.IfNoneMatch = entry.IfNoneMatch;
        return query;
    }

    private static void Answer(RequestContext context, List<Entry> entries, ResponseBuffer body)
    {
        using RenewedRead read = context.OpenRead(ReaderKind.Load);
        body.Append("{\"Results\":["u8);
        for (int i = 0; i < entries.Count; i++)
        {
            body.Append(i > 0 ? ","u8 : default);
            WriteOne(body, entries[i], AnswerOne(context, read, entries[i]));
            entries[i].Result.Clear();
        }

        body.Append("]}"u8);
    }

    private static ReadAnswer AnswerOne(RequestContext context, RenewedRead read, Entry entry)
    {
        if (entry.Answer is { } known)
        {
            return known;
        }

        try
        {
            return entry.Run is { } run ? Answer(context, read, run, entry) : Load(context, read, entry);
        }
        catch (Exception failure) when (IsAnswer(failure))
        {
            return entry.Fail(failure);
        }
    }

    private static ReadAnswer Answer(RequestContext context, RenewedRead read, QueryRun run, Entry entry)
    {
        QueryAnswer answer = QueryAnswers.Answer(
            context.Database, read, run, entry.IfNoneMatch, entry.Result, context.Server.Answers, context.Server.Options.NodeTag,
            Stopwatch.GetTimestamp());
        return new ReadAnswer(answer.IsKnown ? 304 : 200, answer.Tag);
    }

    private static ReadAnswer Load(RequestContext context, RenewedRead read, Entry entry)
    {
        bool hasBody = entry.Request.Content.Length > 0 && entry.Request.Method == "POST";
        RouteMethod? method = hasBody ? entry.Method : entry.Method?.Route.Find("GET"); // without a body it is read as a GET
        var query = new QueryParameters(entry.Request.Query, method?.Description);
        IReadOnlyList<string> ids = hasBody ? DocumentReads.ParseIds(entry.Request.Content) : query.GetAll("id");
        ReadAnswer answer = DocumentReads.Read(context.Database, read, ids, query, entry.IfNoneMatch, entry.Result);
        return answer.Tag is null ? Missing(entry.Result) : answer;
    }

    // Official clients parse this member with any status, and after a 304 they parse their cached copy of it. They cannot parse null.
    private static ReadAnswer Missing(ResponseBuffer result)
    {
        result.Clear();
        result.Append("{\"Results\":[null],\"Includes\":{}}"u8);
        return new ReadAnswer(404, null);
    }

    private Problem NotPossible(MultiGetRequest request) => routes.FindLaterFeature(request.Url) is { } feature
        ? Problem.NotSupported(feature)
        : new Problem(400, ProblemTypes.RouteNotFound,
            $"{request.Method} {request.Url} cannot be part of a multi_get; requests that read can (GET, and POST of docs and queries), except streams.");

    private static void WriteOne(ResponseBuffer body, Entry entry, ReadAnswer answer)
    {
        bool hasBody = answer.Status != 304 && entry.Result.Length > 0;
        body.Append("{\"Result\":"u8);
        if (hasBody)
        {
            entry.Result.AppendTo(body);
        }
        else
        {
            body.Append("null"u8);
        }

        // Headers come last and are written by a JSON writer, because the quotes of an ETag must be escaped.
        body.Append(","u8);
        using var json = new Utf8JsonWriter(body, JsonAnswers.WriterOptions);
        json.WriteNumber("StatusCode"u8, answer.Status);
        json.WriteStartObject("Headers"u8);
        if (answer.Tag is not null)
        {
            json.WriteString("ETag"u8, answer.Tag);
        }

        if (hasBody)
        {
            json.WriteString("Content-Type"u8, "application/json; charset=utf-8"u8);
        }

        json.WriteEndObject();
        json.WriteEndObject();
    }

    /// <summary>One request on its way to its answer.</summary>
    private sealed class Entry(MultiGetRequest request, ResponseBuffer result) : IDisposable
    {
        public MultiGetRequest Request { get; } = request;

        public ResponseBuffer Result { get; } = result;

        public string? IfNoneMatch => Request.Headers.GetValueOrDefault("If-None-Match");

        /// <summary>The method of its route; null until it was found.</summary>
        public RouteMethod? Method { get; set; }

        /// <summary>A run of a query whose index was asked; null for all other entries.</summary>
        public QueryRun? Run { get; set; }

        /// <summary>Null when the answer still has to be read from the snapshot.</summary>
        public ReadAnswer? Answer { get; set; }

        public ReadAnswer Fail(Exception failure)
        {
            Problem problem = ProblemMapping.ToProblem(failure);
            Result.Clear();
            using var json = new Utf8JsonWriter(Result, JsonAnswers.WriterOptions);
            problem.WriteTo(json, Request.Url + Request.Query);
            json.Flush();
            var answer = new ReadAnswer(problem.Status, null);
            Answer = answer;
            return answer;
        }

        public void Dispose()
        {
            Run?.Dispose();
            Result.Dispose();
        }
    }
}
