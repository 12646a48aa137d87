using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Patching;
using Jackdaw.Json;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Documents;

/// <summary>PATCH of one document: a script changes it.</summary>
internal static class PatchHandlers
{
    public static void Map(RouteTable routes) =>
        routes.Database("PATCH", "/docs", Access.ReadWrite, RouteTraits.None, PatchAsync);

    private static async ValueTask PatchAsync(RequestContext context)
    {
        context.Query.TryGet("id", out QueryParameter parameter);
        (byte[] id, byte[] key) = ParameterKeys.ForDelete(parameter);
        PatchCommand command = await ReadAsync(context).ConfigureAwait(false);
        command.SetId(id, key);
        PatchTrace? trace = null;
        bool isTried = context.Query.GetFlag("test");
        bool isTraced = context.Query.GetFlag("debug") || isTried;
        await context.WriteComputedAsync(new DocumentCommand[] { command }, () => trace = isTraced ? new PatchTrace() : null, isTried)
            .ConfigureAwait(false);
        PatchResult result = command.Result!;
        switch (result.Status)
        {
            case PatchStatus.DocumentDoesNotExist:
                await context.Empty(404).ConfigureAwait(false);
                break;
            case PatchStatus.Skipped:
                await context.Empty(304).ConfigureAwait(false);
                break;
            default:
                int status = result.Status == PatchStatus.Created ? 201 : 200;
                await context.Json(status, json => WriteResult(json, context, result, trace)).ConfigureAwait(false);
                break;
        }
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

    private static void WriteResult(Utf8JsonWriter json, RequestContext context, PatchResult result, PatchTrace? trace)
    {
        json.WriteStartObject();
        json.WriteString("Status"u8, result.Status.ToString());
        json.WritePropertyName("ModifiedDocument"u8);
        result.WriteDocument(json, context.Database);
        if (trace is not null)
        {
            json.WritePropertyName("OriginalDocument"u8);
            (result with { After = result.Before?.Form, Put = null }).WriteDocument(json, context.Database);
        }

        if (result.LastModified.Ticks > 0)
        {
            json.WriteString("LastModified"u8, result.LastModified.ToString("O"));
        }

        string changeVector = result.ChangeVectorOf(context.Database);
        json.WriteString("ChangeVector"u8, changeVector.Length == 0 ? null : changeVector);
        if ((result.After ?? result.Before?.Form) is { } form)
        {
            json.WriteString("Collection"u8, form.Collection.Span);
        }

        json.WritePropertyName("Debug"u8);
        WriteTrace(json, trace);
        json.WriteEndObject();
    }

    private static void WriteTrace(Utf8JsonWriter json, PatchTrace? trace)
    {
        if (trace is null)
        {
            json.WriteNullValue();
            return;
        }

        json.WriteStartObject();
        WriteLines(json, "Info", trace.Lines);
        json.WriteStartObject("Actions"u8);
        WriteLines(json, "LoadDocument", trace.Loaded);
        WriteLines(json, "PutDocument", trace.Put);
        WriteLines(json, "DeleteDocument", trace.Deleted);
        foreach ((string action, List<string> lines) in trace.Extended)
        {
            WriteLines(json, action, lines);
        }

        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void WriteLines(Utf8JsonWriter json, string name, List<string> lines)
    {
        json.WriteStartArray(name);
        foreach (string line in lines)
        {
            json.WriteStringValue(line);
        }

        json.WriteEndArray();
    }
}
