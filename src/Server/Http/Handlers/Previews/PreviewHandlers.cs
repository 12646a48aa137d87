using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers.Previews;

/// <summary>Pages of documents as tables show them: some members of each, long values by their beginning. However large the documents are, the answer is
/// small.</summary>
internal static class PreviewHandlers
{
    /// <summary>Documents that are counted by a prefix; beyond it the total is only a lower bound.</summary>
    private const int CountedMax = 10_000;

    public static void Map(RouteTable routes) =>
        routes.Database("GET", "/docs/preview", Access.Read, RouteTraits.InMultiGet, GetAsync)
            .Says("Gives a page of documents with some members of each, for tables.")
            .Takes(PreviewQuery.Inputs)
            .Answers(200, "Results has the documents, Columns the members; long values have only their beginning.");

    private static async ValueTask GetAsync(RequestContext context)
    {
        PreviewQuery query = PreviewQuery.Read(context.Query);
        using var body = new ResponseBuffer(context.Server.Answers);
        using (var json = new Utf8JsonWriter(body, JsonAnswers.WriterOptions))
        {
            Write(context, query, json);
        }

        await context.Send(StatusCodes.Status200OK, body).ConfigureAwait(false);
    }

    private static void Write(RequestContext context, PreviewQuery query, Utf8JsonWriter json)
    {
        using RenewedRead read = context.OpenRead(ReaderKind.List);
        var preview = new DocumentPreview(query.Fields);
        Etag upTo = query.UpTo.Value < read.Scope.LastEtag.Value ? query.UpTo : read.Scope.LastEtag;
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        var walk = new PreviewWalk(query, upTo);
        while (walk.WriteStep(read, json, preview))
        {
            read.Renew();
        }

        json.WriteEndArray();
        JsonAnswers.WriteTexts(json, "Columns", preview.Columns);
        json.WriteNumber("UpTo"u8, upTo.Value);
        if (query.Prefix.Length == 0)
        {
            json.WriteNumber("TotalResults"u8, CountOf(read.Scope, query.Collection));
            json.WriteBoolean("IsTotalExact"u8, true);
        }
        else
        {
            long counted = walk.CountRest(read, CountedMax);
            json.WriteNumber("TotalResults"u8, counted);
            json.WriteBoolean("IsTotalExact"u8, walk.IsAtEnd);
        }

        json.WriteEndObject();
    }

    private static long CountOf(DocumentReadScope read, byte[] collection) =>
        collection.Length == 0 ? read.Counts.Documents : read.FindCollection(collection)?.Documents ?? 0;
}
