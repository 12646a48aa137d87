using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Patching;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Documents;

/// <summary>Runs the patch of one document and answers what it did.</summary>
internal static class PatchAnswers
{
    /// <param name="context">The request.</param>
    /// <param name="command">The patch.</param>
    /// <param name="isTried">Whether nothing is written.</param>
    /// <param name="isTraced">Whether the answer has the document as it was, and what the script did.</param>
    public static async ValueTask RunAsync(RequestContext context, PatchCommand command, bool isTried, bool isTraced)
    {
        PatchTrace? trace = null;
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
        JsonAnswers.WriteTexts(json, "Info", trace.Lines);
        json.WriteStartObject("Actions"u8);
        JsonAnswers.WriteTexts(json, "LoadDocument", trace.Loaded);
        JsonAnswers.WriteTexts(json, "PutDocument", trace.Put);
        JsonAnswers.WriteTexts(json, "DeleteDocument", trace.Deleted);
        foreach ((string action, List<string> lines) in trace.Extended)
        {
            JsonAnswers.WriteTexts(json, action, lines);
        }

        json.WriteEndObject();
        json.WriteEndObject();
    }
}
