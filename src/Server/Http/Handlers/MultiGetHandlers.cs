using System.Buffers;
using System.Diagnostics;
using System.Text.Json;
using Jackdaw.Server.Documents.Parsing;
using Jackdaw.Server.Documents.Store;
using Jackdaw.Server.Http.Answers;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Http.Reading;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Json;
using Jackdaw.Server.Queries.Execution;
using Jackdaw.Server.Queries.Language;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>multi_get: the lazy operations of a session, all answered from one snapshot, as long as
/// <see cref="RenewedRead"/> holds it.</summary>
internal sealed class MultiGetHandlers(RouteTable routes)
{
    public static void Map(RouteTable routes) =>
        routes.Database("POST", "/multi_get", new MultiGetHandlers(routes).PostAsync);

    private async ValueTask PostAsync(RequestContext context)
    {
        IReadOnlyList<MultiGetRequest> requests;
        using (RequestBody sent = await RequestBodyReader.ReadAsync(context, MultiGetParser.BodyBytesMax, "A multi-get")
            .ConfigureAwait(false))
        {
            requests = MultiGetParser.Parse(new ReadOnlySequence<byte>(sent.Memory));
        }

        using var body = new ResponseBuffer(context.Server.Answers);
        Answer(context, requests, body);
        await context.Send(200, body).ConfigureAwait(false);
    }

    private void Answer(RequestContext context, IReadOnlyList<MultiGetRequest> requests, ResponseBuffer body)
    {
        using var read = new RenewedRead(context, ReaderKind.Load);
        using var result = new ResponseBuffer(context.Server.Answers);
        body.Append("{\"Results\":["u8);
        for (int i = 0; i < requests.Count; i++)
        {
            body.Append(i > 0 ? ","u8 : default);
            result.Clear();
            ReadAnswer answer = AnswerOne(context, read, requests[i], result);
            WriteOne(body, answer, result);
        }

        body.Append("]}"u8);
    }

    private ReadAnswer AnswerOne(
        RequestContext context, RenewedRead read, MultiGetRequest request, ResponseBuffer result)
    {
        DocumentDatabase database = context.Database;
        try
        {
            Routing.Route? route = routes.Find(request.Url, out ReadOnlySpan<char> name);
            if (!name.Equals(database.Name, StringComparison.OrdinalIgnoreCase))
            {
                throw new RequestRefusedException(Problem.Argument(
                    $"'{request.Url}' is not a path of database '{database.Name}'; all requests of a multi_get go to its own database."));
            }

            return (route?.Pattern, request.Method) switch
            {
                ("/docs", "GET" or "POST") => Load(database, read, request, result),
                ("/queries", "GET" or "POST") => RunQuery(context, read, request, result),
                _ => throw new RequestRefusedException(NotPossible(request)),
            };
        }
        catch (Exception failure) when (failure is RequestRefusedException or DocumentFormatException
            or InvalidQueryException or QueryNotSupportedException)
        {
            Problem problem = ProblemMapping.ToProblem(failure);
            result.Clear();
            using var json = new Utf8JsonWriter(result, JsonAnswers.WriterOptions);
            problem.WriteTo(json, request.Url + request.Query);
            return new ReadAnswer(problem.Status, null);
        }
    }

    private static ReadAnswer Load(
        DocumentDatabase database, RenewedRead read, MultiGetRequest request, ResponseBuffer result)
    {
        var query = new QueryParameters(request.Query);
        IReadOnlyList<string> ids = request.Content.Length > 0 && request.Method == "POST"
            ? DocumentReads.ParseIds(request.Content)
            : query.GetAll("id");
        ReadAnswer answer = DocumentReads.Read(
            database, read, ids, query, request.Headers.GetValueOrDefault("If-None-Match"), result);
        return answer.Tag is null ? Missing(result) : answer;
    }

    private static ReadAnswer RunQuery(
        RequestContext context, RenewedRead read, MultiGetRequest request, ResponseBuffer result)
    {
        var url = new QueryParameters(request.Query);
        QueryRequest asked = request.Method == "POST" ? QueryRequest.Read(request.Content, url) : QueryRequest.Read(url);
        using CollectionQuery query = CollectionQuery.Plan(asked, NoProjectionScripts.Instance);
        return QueryAnswers.Answer(
            context.Database, read, query, request.Headers.GetValueOrDefault("If-None-Match"), result, context.Server.Answers,
            Stopwatch.GetTimestamp());
    }

    // Official clients parse this member whatever the status, and after a 304 their cached copy of it; they cannot
    // parse null.
    private static ReadAnswer Missing(ResponseBuffer result)
    {
        result.Clear();
        result.Append("{\"Results\":[null],\"Includes\":{}}"u8);
        return new ReadAnswer(404, null);
    }

    private Problem NotPossible(MultiGetRequest request) => routes.FindLaterFeature(request.Url) is { } feature
        ? Problem.NotSupported(feature)
        : new Problem(400, ProblemTypes.RouteNotFound,
            $"{request.Method} {request.Url} cannot be part of a multi_get; loads of documents and queries can.");

    private static void WriteOne(ResponseBuffer body, ReadAnswer answer, ResponseBuffer result)
    {
        bool hasBody = answer.Status != 304;
        body.Append("{\"Result\":"u8);
        if (hasBody)
        {
            result.AppendTo(body);
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
}
