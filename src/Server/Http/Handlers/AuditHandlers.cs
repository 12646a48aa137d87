using System.Globalization;
using Jackdaw.Documents.Callers;
using Jackdaw.Security.Auditing;
using Jackdaw.Security.Callers;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>Shows the audit log, newest lines first.</summary>
internal static class AuditHandlers
{
    private const int LinesByDefault = 100;

    public static void Map(RouteTable routes) =>
        routes.Server("GET", "/admin/audit", Access.ClusterAdmin, RouteTraits.None, Get)
            .Says("Shows the audit log, newest lines first.")
            .Takes(
                Input.Text("before", "Only lines before this one: Next of the page before.", "2026-01-31.1.100"),
                Input.Count("pageSize", $"The most lines of the answer, up to {AuditReader.LinesMax}.", "10").Or($"{LinesByDefault}"),
                Input.OneOf("kind", "Only lines of this kind.", [.. AuditKinds.All]),
                Input.OneOf("outcome", "Only lines with this outcome.", [.. AuditOutcomes.All]),
                Input.Text("who", "Only lines of this certificate, session or address.", "admin"),
                Input.Text("database", "Only lines of this database.", "Shop"),
                Input.Time("since", "Only lines of this time and later."),
                Input.Time("until", "Only lines of this time and earlier."))
            .Answers(200, "Results has the lines, Next the beginning of the next page.");

    private static ValueTask Get(RequestContext context)
    {
        AuditLog log = context.Server.Audit
            ?? throw new RequestRefusedException(Problem.NotSupported("An audit log of an open server that keeps everything in memory (RunInMemory) is"));
        AuditPage page = Read(log, context.Query.GetText("before"), context.Query.GetCount("pageSize", LinesByDefault), FilterOf(context.Query));
        return context.Json(200, page, static (json, page) =>
        {
            json.WriteStartObject();
            json.WriteStartArray("Results"u8);
            foreach (byte[] line in page.Lines)
            {
                json.WriteRawValue(line, skipInputValidation: true);
            }

            json.WriteEndArray();
            json.WriteString("Next"u8, page.Next);
            json.WriteEndObject();
        });
    }

    private static AuditFilter FilterOf(QueryParameters query) => new()
    {
        Kind = ReadWord(query, "kind", AuditKinds.All),
        Outcome = ReadWord(query, "outcome", AuditOutcomes.All),
        Who = ReadText(query, "who"),
        Database = ReadText(query, "database"),
        Since = ReadTime(query, "since"),
        Until = ReadTime(query, "until"),
    };

    // An empty parameter is that of a field of a form which nobody filled in.
    private static string? ReadText(QueryParameters query, string name) => query.GetText(name) is { Length: > 0 } text ? text : null;

    private static string? ReadWord(QueryParameters query, string name, IReadOnlyList<string> words) =>
        ReadText(query, name) is not { } text || words.Contains(text)
            ? ReadText(query, name)
            : throw new RequestRefusedException(Problem.Argument(
                $"The query parameter '{name}' is '{RefusalWords.Shorten(text)}'; give one of {string.Join(", ", words)}."));

    private static DateTimeOffset? ReadTime(QueryParameters query, string name)
    {
        if (ReadText(query, name) is not { } text)
        {
            return null;
        }

        return DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time)
            ? time
            : throw new RequestRefusedException(Problem.Argument(
                $"The query parameter '{name}' is '{RefusalWords.Shorten(text)}'; give a time, such as 2026-11-28T09:30:00Z."));
    }

    private static AuditPage Read(AuditLog log, string? before, long count, AuditFilter filter)
    {
        try
        {
            return AuditReader.Read(log.Folder, before, (int)Math.Min(count, AuditReader.LinesMax), filter);
        }
        catch (FormatException wrong)
        {
            throw new RequestRefusedException(Problem.Argument($"before: {wrong.Message}"));
        }
    }
}
