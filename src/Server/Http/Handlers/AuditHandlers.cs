using Jackdaw.Documents.Callers;
using Jackdaw.Security.Auditing;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
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
                Input.Count("pageSize", $"The most lines of the answer, up to {AuditReader.LinesMax}.", "10").Or($"{LinesByDefault}"))
            .Answers(200, "Results has the lines, Next the beginning of the next page.");

    private static ValueTask Get(RequestContext context)
    {
        AuditLog log = context.Server.Audit
            ?? throw new RequestRefusedException(Problem.NotSupported("An audit log of an open server that keeps everything in memory (RunInMemory) is"));
        AuditPage page = Read(log, context.Query.GetText("before"), context.Query.GetCount("pageSize", LinesByDefault));
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

    private static AuditPage Read(AuditLog log, string? before, long count)
    {
        try
        {
            return AuditReader.Read(log.Folder, before, (int)Math.Min(count, AuditReader.LinesMax));
        }
        catch (FormatException wrong)
        {
            throw new RequestRefusedException(Problem.Argument($"before: {wrong.Message}"));
        }
    }
}
