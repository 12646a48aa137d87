using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Rows;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Handlers.Documents;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers.Revisions;

/// <summary>Reverts documents to revisions, and removes revisions.</summary>
internal static class RevisionChangeHandlers
{
    public static void Map(RouteTable routes)
    {
        routes.Database("POST", "/revisions/revert/docs", Access.ReadWrite, RouteTraits.None, RevertDocumentsAsync)
            .Says("Takes documents back to revisions.")
            .Sends(Body.Object("The revisions.", Input.Json("IdToChangeVector", "The change vector of a revision for each id.",
                """{"orders/1-A":"A:1-AAAAAAAAAAAAAAAAAAAAAA"}""").Required()))
            .AnswersEmpty(204, "All of them are written.");
        routes.Database("DELETE", "/admin/revisions", Access.Admin, RouteTraits.Audited, DeleteAsync)
            .Says("Deletes revisions of documents.")
            .Sends(Body.Object(
                "Which revisions.",
                Input.Text("DocumentIds", "The ids of the documents.", "orders/2-A").Repeated().Required(),
                Input.Json("RevisionsChangeVectors", "The change vectors of revisions of the only document; without it all of its revisions.", "[]"),
                Input.Time("From", "Only revisions from this time on."),
                Input.Time("To", "Only revisions up to this time."),
                Input.Json("RemoveForceCreatedRevisions", "Whether revisions that somebody asked for are deleted too.", "false")))
            .Answers(200, "TotalDeletes says how many.");
        RevisionOperations.Map(routes);
    }

    private static async ValueTask RevertDocumentsAsync(RequestContext context)
    {
        List<DocumentCommand> commands = [];
        using (JsonBody body = await JsonBody.ReadObjectAsync(context, "A request to revert documents").ConfigureAwait(false))
        {
            if (body.Root.Member("IdToChangeVector") is not { ValueKind: JsonValueKind.Object } named || !named.EnumerateObject().Any())
            {
                throw new RequestRefusedException(Problem.Argument(
                    "The body names no documents; send {\"IdToChangeVector\":{\"users/1\":\"A:3-...\"}}."));
            }

            using DocumentReadScope read = context.Database.BeginRead(ReaderKind.Load);
            var revisions = new RevisionReader(read.Transaction, context.Database.Replica);
            foreach (JsonProperty one in named.EnumerateObject())
            {
                byte[] key = RequireKey(one.Name);
                Etag target = Find(revisions, key, one.Name, one.Value, out int bytes);
                commands.Add(new RevertCommand(key, target) { IsRequired = true, TargetBytes = bytes });
            }
        }

        await context.WriteAsync(new WriteBatch { Commands = commands.ToArray() }).ConfigureAwait(false);
        await context.Empty(204).ConfigureAwait(false);
    }

    private static async ValueTask DeleteAsync(RequestContext context)
    {
        Removal removal;
        using (JsonBody body = await JsonBody.ReadObjectAsync(context, "A request to delete revisions").ConfigureAwait(false))
        {
            removal = Removal.Read(body.Root);
        }

        long removed = 0;
        foreach (string id in removal.Ids)
        {
            byte[] key = RequireKey(id);
            List<Etag> etags = Gather(context, removal, id, key);
            for (int i = 0; i < etags.Count; i += DeleteRevisionsCommand.RevisionsMax)
            {
                var command = new DeleteRevisionsCommand(key, etags.Slice(i, Math.Min(DeleteRevisionsCommand.RevisionsMax, etags.Count - i)));
                await context.WriteAsync(command).ConfigureAwait(false);
                removed += command.Removed;
            }
        }

        await context.Json(200, removed, static (json, total) =>
        {
            json.WriteStartObject();
            json.WriteNumber("TotalDeletes"u8, total);
            json.WriteEndObject();
        }).ConfigureAwait(false);
    }

    // The oldest first.
    private static List<Etag> Gather(RequestContext context, Removal removal, string id, byte[] key)
    {
        List<Etag> etags = [];
        using DocumentReadScope read = context.Database.BeginRead(ReaderKind.List);
        var revisions = new RevisionReader(read.Transaction, context.Database.Replica);
        if (removal.Vectors is { } vectors)
        {
            etags.AddRange(vectors.EnumerateArray().Select(vector => Find(revisions, key, id, vector, out _)));
            etags.RemoveAll(etag => !removal.Takes(revisions, etag));
            etags.Sort();
            return etags;
        }

        using RevisionCursor cursor = revisions.Open(key, Etag.Maximum);
        while (cursor.MoveNext())
        {
            if (removal.Takes(cursor.Current))
            {
                etags.Add(cursor.CurrentEtag);
            }
        }

        etags.Reverse();
        return etags;
    }

    /// <exception cref="RequestRefusedException">The document has no such revision.</exception>
    private static Etag Find(RevisionReader revisions, byte[] key, string id, JsonElement vector, out int bytes)
    {
        string text = vector.ValueKind == JsonValueKind.String ? vector.GetString()! : vector.GetRawText();
        bool isFound = RevisionAnswers.TryFind(revisions, text, out RevisionRow revision) && revision.DocumentKey.SequenceEqual(key);
        bytes = isFound ? revision.Row.Bytes.Length : 0;
        return isFound
            ? revision.Etag
            : throw new RequestRefusedException(new Problem(400, ProblemTypes.InvalidOperation,
                $"Document '{id}' has no revision with the change vector '{text}'; read its revisions with GET /revisions?id=..."));
    }

    private static byte[] RequireKey(string id)
    {
        byte[] key = DocumentKey.Make(id);
        return key.Length > 0 ? key : throw new RequestRefusedException(Problem.Argument("An id is empty; name the documents."));
    }

    /// <summary>The revisions that a request removes.</summary>
    private sealed record Removal(List<string> Ids, bool TakesForced, JsonElement? Vectors, long From, long To)
    {
        public static Removal Read(JsonElement body)
        {
            List<string> ids = body.TextsMember("DocumentIds");
            JsonElement? vectors = body.Member("RevisionsChangeVectors") is { } member && member.ValueKind == JsonValueKind.Array && member.GetArrayLength() > 0
                ? member.Clone()
                : null;
            if (ids.Count == 0)
            {
                throw new RequestRefusedException(Problem.Argument("DocumentIds is empty; name the documents whose revisions are deleted."));
            }

            long? from = RevisionOperations.Time(body, "From");
            long? to = RevisionOperations.Time(body, "To");
            if (vectors is not null && (ids.Count > 1 || from is not null || to is not null))
            {
                throw new RequestRefusedException(Problem.Argument(
                    "RevisionsChangeVectors names revisions of one document; send one id in DocumentIds, and neither From nor To."));
            }

            if (from > to)
            {
                throw new RequestRefusedException(Problem.Argument("From is later than To; exchange them."));
            }

            return new Removal(ids, body.FlagMember("RemoveForceCreatedRevisions") ?? false, vectors, from ?? 0, to ?? long.MaxValue);
        }

        public bool Takes(RevisionRow revision) =>
            (TakesForced || !revision.IsForced) && revision.LastModifiedTicks >= From && revision.LastModifiedTicks <= To;

        public bool Takes(RevisionReader revisions, Etag etag) => revisions.TryGet(etag, out RevisionRow revision) && Takes(revision);
    }
}
