using System.Globalization;
using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Settings;

/// <summary>Reads and changes what the server logs while it runs.</summary>
internal static class LogHandlers
{
    public static void Map(RouteTable routes)
    {
        routes.Server("GET", "/admin/logs/configuration", Access.Operator, RouteTraits.None, Get)
            .Says("Tells what the server logs.")
            .Answers(200, "The modes, and what is kept.");
        routes.Server("POST", "/admin/logs/configuration", Access.Operator, RouteTraits.Audited, PostAsync)
            .Says("Changes what the server logs, until it is started again.")
            .Sends(Body.Object(
                "The configuration.",
                Input.OneOf("Mode", "What is logged.", "Operations", "Information", "None").Required(),
                Input.Text("RetentionTime", "How long it is kept.", "3.00:00:00"),
                Input.Count("RetentionSize", "How many bytes are kept.", "1000000"),
                Input.Json("Compress", "Whether it is compressed.", "false")))
            .AnswersEmpty(204, "It holds.");
    }

    private static ValueTask Get(RequestContext context)
    {
        LogSwitch log = context.Server.Options.Log;
        return context.Json(200, log, static (json, log) =>
        {
            json.WriteStartObject();
            json.WriteString("CurrentMode"u8, log.Current.ToString());
            json.WriteString("Mode"u8, log.Configured.ToString());
            json.WriteString("Path"u8, ""); // stderr
            json.WriteBoolean("UseUtcTime"u8, true);
            json.WriteString("RetentionTime"u8, log.Retention.Time.ToString("c", CultureInfo.InvariantCulture));
            if (log.Retention.SizeBytes is { } size)
            {
                json.WriteNumber("RetentionSize"u8, size);
            }
            else
            {
                json.WriteNull("RetentionSize"u8);
            }

            json.WriteBoolean("Compress"u8, log.Retention.Compress);
            json.WriteEndObject();
        });
    }

    private static async ValueTask PostAsync(RequestContext context)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A configuration of the log").ConfigureAwait(false);
        LogSwitch log = context.Server.Options.Log;
        string text = body.Root.TextMember("Mode") ?? "";
        LogMode mode = text.Length > 0 && Enum.TryParse(text, ignoreCase: true, out LogMode known) && Enum.IsDefined(known) && char.IsAsciiLetter(text[0])
            ? known
            : throw new RequestRefusedException(Problem.Argument(
                $"Mode must be None, Operations or Information, {(text.Length > 0 ? $"not '{text}'" : "and it is missing or empty")}."));
        log.Set(mode, new LogRetention(
            ReadTime(body.Root.TextMember("RetentionTime")) ?? LogRetention.Default.Time, ReadSize(body.Root.Member("RetentionSize")),
            body.Root.FlagMember("Compress") ?? false));
        await context.Empty(204).ConfigureAwait(false);
    }

    private static TimeSpan? ReadTime(string? text) => text is null ? null
        : TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan time) && time >= TimeSpan.Zero ? time
        : throw new RequestRefusedException(Problem.Argument($"RetentionTime must be a time like 3.00:00:00 (three days), not '{text}'."));

    private static long? ReadSize(JsonElement? found) => found is not { } size ? null
        : size.ValueKind == JsonValueKind.Number && size.TryGetInt64(out long bytes) && bytes >= 0 ? bytes
        : throw new RequestRefusedException(Problem.Argument($"RetentionSize must be a number of bytes, not {size.GetRawText()}."));
}
