using Jackdaw.Documents.Callers;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Settings;

/// <summary>Reads and writes what clients say about the compression of documents, which is a member of the record. The storage decides about compression
/// itself, by measurement.</summary>
internal static class CompressionHandlers
{
    private const string Member = "DocumentsCompression";

    public static void Map(RouteTable routes)
    {
        routes.Database("POST", "/admin/documents-compression/config", Access.Admin, RouteTraits.Audited, PostAsync)
            .Says("Keeps what clients say about the compression of documents; the storage decides itself.")
            .Sends(Body.Object(
                "The configuration.",
                Input.Text("Collections", "Collections that clients want to be compressed.", "Orders").Repeated(),
                Input.Json("CompressAllCollections", "Whether all collections are meant.", "false"),
                Input.Json("CompressRevisions", "Whether revisions are meant too.", "true")))
            .Answers(200, "RaftCommandIndex, the number of the change.");
        routes.Database("GET", "/documents-compression/config", Access.Admin, RouteTraits.InMultiGet, context => RecordChanges.AnswerAsync(context, Member))
            .Says("Gives what was said about the compression of documents.")
            .Answers(200, "The configuration.")
            .AnswersEmpty(404, "Nothing was said.");
    }

    private static async ValueTask PostAsync(RequestContext context)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "The configuration of compression").ConfigureAwait(false);
        body.Root.TextsMember("Collections");
        body.Root.FlagMember("CompressAllCollections");
        body.Root.FlagMember("CompressRevisions");
        long index = await RecordChanges.SetAsync(context, Member, body.Bytes).ConfigureAwait(false);
        await RecordChanges.AnswerAsync(context, index).ConfigureAwait(false);
    }
}
