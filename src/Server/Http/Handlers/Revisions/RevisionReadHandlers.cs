using System.Globalization;
using System.Text;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Reading;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers.Revisions;

/// <summary>Reads revisions: those of a document, by change vectors, or as of a time; their number; the bin of deleted documents.</summary>
internal static class RevisionReadHandlers
{
    /// <summary>The most change vectors of one request: each costs a look-up, and a URL has room for about as many.</summary>
    private const int VectorsMax = 1024;

    private static readonly Input s_id = Input.Text("id", "The id of the document whose revisions are wanted.", "orders/1-A");

    public static void Map(RouteTable routes)
    {
        routes.Database("GET", "/revisions", Access.Read, RouteTraits.InMultiGet, GetAsync)
            .Says("Reads revisions: those of a document, newest first, the one at a time, or some by their change vectors.")
            .Takes(s_id, Input.Text("changeVector", "The change vector of a revision that is wanted.", "A:1-AAAAAAAAAAAAAAAAAAAAAA").Repeated())
            .TakesWith(s_id, [Inputs.MetadataOnly, Input.Time("before", "Only the revision that held at this time."), .. Inputs.Page])
            .Answers(200, "Results has the revisions, TotalResults how many the document has.")
            .AnswersEmpty(304, "The client has the newest answer already (If-None-Match).")
            .AnswersEmpty(404, "The only revision that was asked for does not exist.");
        routes.Database("GET", "/revisions/count", Access.Read, RouteTraits.InMultiGet, Count)
            .Says("Counts the revisions of a document.")
            .Takes(Inputs.DocumentId)
            .Answers(200, "RevisionsCount says how many.");
        routes.Database("GET", "/revisions/bin", Access.Read, RouteTraits.InMultiGet, BinAsync)
            .Says("Lists the newest revisions of deleted documents.")
            .Takes(Inputs.Page)
            .Answers(200, "Results has them, newest first.");
        routes.Database("GET", "/revisions/resolved", Access.Read, RouteTraits.InMultiGet, Resolved)
            .Says("Lists versions that lost a conflict of replicas; one node has none.")
            .Answers(200, "Results is empty.");
    }

    // These are versions that lost a conflict of replicas; a single server has none.
    private static ValueTask Resolved(RequestContext context) => context.Json(200, static json =>
    {
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        json.WriteEndArray();
        json.WriteEndObject();
    });

    private static ValueTask GetAsync(RequestContext context)
    {
        List<string> vectors = context.Query.GetAll("changeVector");
        bool metadataOnly = context.Query.GetFlag("metadataOnly");
        if (vectors.Count > 0)
        {
            return ByVectorsAsync(context, vectors, metadataOnly);
        }

        if (!context.Query.Has("id"))
        {
            throw new RequestRefusedException(Problem.Argument(
                "The request names no revisions; give ?id=... for those of a document, or ?changeVector=..."));
        }

        byte[] key = Key(context);
        return context.Query.GetText("before") is { Length: > 0 } before
            ? AtTimeAsync(context, key, ToTicks(before), metadataOnly)
            : ListAsync(context, key, metadataOnly);
    }

    private static async ValueTask ByVectorsAsync(RequestContext context, List<string> vectors, bool metadataOnly)
    {
        if (vectors.Count > VectorsMax)
        {
            throw new RequestRefusedException(Problem.Argument(
                $"The request names {vectors.Count} change vectors; send at most {VectorsMax} at once."));
        }

        using var body = new ResponseBuffer(context.Server.Answers);
        if (!TryWriteByVectors(context, vectors, metadataOnly, body, out string tag))
        {
            await context.Empty(404).ConfigureAwait(false);
            return;
        }

        await AnswerAsync(context, body, tag, isFresh: true).ConfigureAwait(false);
    }

    // False when one revision is asked for and does not exist.
    private static bool TryWriteByVectors(
        RequestContext context, List<string> vectors, bool metadataOnly, ResponseBuffer body, out string tag)
    {
        tag = "";
        var hash = VersionHash.Begin(context.Database);
        using RenewedRead read = context.OpenRead(ReaderKind.Load);
        body.Append("{\"Results\":["u8);
        for (int i = 0; i < vectors.Count; i++)
        {
            body.Append(i > 0 ? ","u8 : default);
            var revisions = new RevisionReader(read.Scope.Transaction, context.Database.Replica);
            bool isFound = RevisionAnswers.TryFind(revisions, vectors[i], out RevisionRow revision);
            if (!isFound && vectors.Count == 1)
            {
                return false;
            }

            hash.Add(isFound ? revision.Etag : Etag.None);
            if (!isFound)
            {
                body.Append("null"u8);
                continue;
            }

            hash.Add((long)revision.Flags);
            RevisionAnswers.Write(body, context.Database, revision, metadataOnly);
            if (read.IsSpentAfter(revision.Row.Bytes.Length))
            {
                read.Renew();
            }
        }

        body.Append("]}"u8);
        tag = hash.ToTag();
        return true;
    }

    private static async ValueTask AtTimeAsync(RequestContext context, byte[] key, long ticks, bool metadataOnly)
    {
        using var body = new ResponseBuffer(context.Server.Answers);
        string? tag = null;
        using (RenewedRead read = context.OpenRead(ReaderKind.Load))
        {
            Etag found = key.Length > 0 ? FindAt(context, read, key, ticks) : Etag.None;
            var revisions = new RevisionReader(read.Scope.Transaction, context.Database.Replica);
            body.Append("{\"Results\":["u8);
            if (revisions.TryGet(found, out RevisionRow revision))
            {
                RevisionAnswers.Write(body, context.Database, revision, metadataOnly);
                tag = DocumentTags.TagOf(context.Database, revision.Version);
            }

            body.Append(tag is null ? "],\"TotalResults\":0}"u8 : "],\"TotalResults\":1}"u8);
        }

        await AnswerAsync(context, body, tag, isFresh: true).ConfigureAwait(false);
    }

    private static Etag FindAt(RequestContext context, RenewedRead read, byte[] key, long ticks)
    {
        Etag position = Etag.Maximum;
        Etag found;
        while (!new RevisionReader(read.Scope.Transaction, context.Database.Replica)
            .TrySearchAt(key, ticks, () => read.IsSpentAfter(0), ref position, out found))
        {
            read.Renew();
        }

        return found;
    }

    private static async ValueTask ListAsync(RequestContext context, byte[] key, bool metadataOnly)
    {
        var walk = new RevisionWalk(context.Database, key, Count(context, "start", 0), Count(context, "pageSize", long.MaxValue), metadataOnly);
        using var body = new ResponseBuffer(context.Server.Answers);
        bool isFresh = false;
        using (RenewedRead read = context.OpenRead(ReaderKind.List))
        {
            var trees = new RevisionTrees(read.Scope.Transaction.Trees);
            long total = trees.Count(key);
            Etag removed = trees.RemovedAt(key);
            body.Append("{\"Results\":["u8);
            WriteAll(walk, read, body);
            body.Append(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"],\"TotalResults\":{total}}}")));
            isFresh = removed.Value < walk.First.Value;
        }

        await AnswerAsync(context, body, walk.FirstTag, isFresh).ConfigureAwait(false);
    }

    private static async ValueTask BinAsync(RequestContext context)
    {
        var walk = new RevisionWalk(
            context.Database, key: null, Count(context, "start", 0), Count(context, "pageSize", long.MaxValue), metadataOnly: false);
        using var body = new ResponseBuffer(context.Server.Answers);
        using (RenewedRead read = context.OpenRead(ReaderKind.List))
        {
            body.Append("{\"Results\":["u8);
            WriteAll(walk, read, body);
            body.Append("]}"u8);
        }

        await context.Send(200, body).ConfigureAwait(false);
    }

    private static void WriteAll(RevisionWalk walk, RenewedRead read, ResponseBuffer body)
    {
        while (walk.WriteStep(read, body))
        {
            read.Renew();
        }
    }

    /// <param name="tag">Null when nothing was found.</param>
    /// <param name="isFresh">False when a client may have an older answer under the same tag.</param>
    private static async ValueTask AnswerAsync(RequestContext context, ResponseBuffer body, string? tag, bool isFresh)
    {
        if (tag is not null)
        {
            context.Response.Headers.ETag = tag;
            string known = VersionTag.Unquote(context.Request.Headers.IfNoneMatch.ToString()).ToString();
            if (isFresh && known.Length > 0 && VersionTag.Unquote(tag).SequenceEqual(known))
            {
                await context.Empty(304).ConfigureAwait(false);
                return;
            }
        }

        await context.Send(200, body).ConfigureAwait(false);
    }

    private static ValueTask Count(RequestContext context)
    {
        context.Query.GetRequiredText("id");
        byte[] key = Key(context);
        long count;
        using (DocumentReadScope read = context.Database.BeginRead(ReaderKind.Statistics))
        {
            count = new RevisionTrees(read.Transaction.Trees).Count(key);
        }

        return context.Json(200, count, static (json, revisions) =>
        {
            json.WriteStartObject();
            json.WriteNumber("RevisionsCount"u8, revisions);
            json.WriteEndObject();
        });
    }

    // Clients send the word "undefined" for a number that they do not have.
    private static long Count(RequestContext context, string name, long absent) =>
        context.Query.GetText(name) is "undefined" or "null" ? absent : context.Query.GetCount(name, absent);

    private static byte[] Key(RequestContext context) => DocumentKey.Make(context.Query.GetText("id"));

    private static long ToTicks(string text) => IsoDate.TryRead(text, out long ticks)
        ? ticks
        : throw new RequestRefusedException(Problem.Argument(
            $"The query parameter 'before' is '{text}'; give a time like 2024-05-01T10:00:00Z."));
}
