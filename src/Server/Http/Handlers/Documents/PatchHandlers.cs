using System.Text;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Patching;
using Jackdaw.Json;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Documents;

/// <summary>PATCH of one document: a script changes it.</summary>
internal static class PatchHandlers
{
    public static void Map(RouteTable routes) =>
        routes.Database("PATCH", "/docs", Access.ReadWrite, RouteTraits.None, PatchAsync)
            .Says("Changes one document with a script.")
            .Takes(
                Inputs.DocumentId,
                Input.Flag("test", "Whether the script only runs and nothing is written."),
                Input.Flag("debug", "Whether the answer says what the script wrote and loaded."),
                Input.Flag("skipPatchIfChangeVectorMismatch", "Whether another version than that of If-Match is left as it is, instead of being an error."))
            .Sends(Body.Object(
                "The scripts.",
                Input.Json(
                    "Patch", "The script for the document, with its arguments.", """{"Script":"this.Note = args.note","Values":{"note":"x"}}""").Required(),
                Input.Json("PatchIfMissing", "The script that makes the document when it is missing.", """{"Script":"this.Note = 'new'","Values":{}}"""),
                Input.Json("CreateIfMissing", "The document that is made when it is missing.", """{"Note":"new"}""")))
            .Answers(200, "What happened to the document, and how it looks now.")
            .AnswersEmpty(304, "The script changed nothing.");

    private static async ValueTask PatchAsync(RequestContext context)
    {
        context.Query.TryGet("id", out QueryParameter parameter);
        (byte[] id, byte[] key) = ParameterKeys.ForDelete(parameter);
        PatchCommand command = await ReadAsync(context).ConfigureAwait(false);
        command.SetId(id, key);
        bool isTried = context.Query.GetFlag("test");
        await PatchAnswers.RunAsync(context, command, isTried, isTraced: context.Query.GetFlag("debug") || isTried).ConfigureAwait(false);
    }

    private static async ValueTask<PatchCommand> ReadAsync(RequestContext context)
    {
        using RequestBody body = await RequestBodyReader.ReadAsync(context, DocumentLimits.DocumentBytesMax, "A patch").ConfigureAwait(false);
        PatchCommand command = Read(body.Span, DocumentWriteHandlers.ExpectedText(context), context.Database.Extensions);
        command.SkipsOtherVersions = context.Query.GetFlag("skipPatchIfChangeVectorMismatch");
        return command;
    }

    private static PatchCommand Read(ReadOnlySpan<byte> body, string? changeVector, DocumentExtensions extensions)
    {
        using var parser = new DocumentParser(extensions);
        using var scratch = new PooledBuffer();
        var command = new PatchCommand { ChangeVectorText = changeVector, ReturnsDocument = true };
        var cursor = new JsonCursor(body, DocumentParser.SkipToText(body), parser);
        for (bool has = cursor.OpenObject("The body of a patch"); has; has = cursor.NextMember())
        {
            ReadOnlySpan<byte> name = cursor.ReadName();
            if (Ascii.EqualsIgnoreCase(name, "Patch"u8))
            {
                cursor.CheckOnce(command.Patch is null, "Patch");
                command.Patch = PatchText.ReadScript(ref cursor, scratch, "Patch");
            }
            else if (Ascii.EqualsIgnoreCase(name, "PatchIfMissing"u8))
            {
                cursor.CheckOnce(command.PatchIfMissing is null, "PatchIfMissing");
                command.PatchIfMissing = PatchText.ReadScript(ref cursor, scratch, "PatchIfMissing");
            }
            else if (Ascii.EqualsIgnoreCase(name, "CreateIfMissing"u8))
            {
                cursor.CheckOnce(command.CreateIfMissing is null, "CreateIfMissing");
                command.CreateIfMissing = PatchText.ReadDocument(ref cursor, scratch, extensions);
            }
            else
            {
                cursor.SkipValue(scratch);
            }
        }

        cursor.ExpectEnd();
        return command.Patch is not null ? command : throw new RequestRefusedException(Problem.BadRequest(
            "The body has no Patch; send {\"Patch\":{\"Script\":\"this.Name = args.name\",\"Values\":{\"name\":\"x\"}}}."));
    }
}
