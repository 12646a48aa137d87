using System.Globalization;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Handlers.Documents;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Identities;

/// <summary>Ranges of numbers from which clients make ids themselves.</summary>
internal static class HiLoHandlers
{
    /// <summary>The size of the smallest and first range: a session rarely stores more documents.</summary>
    private const long SizeMin = 32;

    /// <summary>The size of the largest range: even a client that uses it up in seconds asks rarely enough.</summary>
    private const long SizeMax = 1_048_576;

    /// <summary>A range used up faster than this was too small.</summary>
    private static readonly TimeSpan s_fast = TimeSpan.FromSeconds(30);

    /// <summary>A range that lasted longer than this was too large.</summary>
    private static readonly TimeSpan s_slow = TimeSpan.FromSeconds(60);

    private static readonly Input s_tag = Input.Text("tag", "The collection for whose ids the range is.", "orders").Required();

    public static void Map(RouteTable routes)
    {
        routes.Database("GET", "/hilo/next", Access.ReadWrite, RouteTraits.None, NextAsync)
            .Says("Takes a range of numbers from which a client makes ids itself.")
            .Takes(
                s_tag,
                Input.Count("lastBatchSize", "The size of the client's last range.", "32"),
                Input.Time("lastRangeAt", "When the client got its last range."),
                Input.Count("lastMax", "The last number of the client's last range.", "0"),
                Input.Text("identityPartsSeparator", "What the client puts between collection and number.", "/"))
            .Answers(201, "Low and High of the range.");
        routes.Database("PUT", "/hilo/return", Access.ReadWrite, RouteTraits.None, ReturnAsync)
            .Says("Gives the unused rest of a range back.")
            .Takes(
                s_tag,
                Input.Count("end", "The last number of the range.", "32"),
                Input.Count("last", "The last number that was used.", "1"))
            .AnswersEmpty(204, "It is free again, unless somebody took a range after it.");
    }

    /// <summary>The size of the next range. It depends on how fast the last one was used up.</summary>
    internal static long NextSize(long last, DateTimeOffset? lastAt, DateTimeOffset now)
    {
        if (lastAt is not { } at || at.Year < 2000)
        {
            return Math.Min(Math.Max(SizeMin, last), SizeMax);
        }

        TimeSpan used = now - at;
        long wanted = used < s_fast ? Math.Min(last, SizeMax) * 2 : used > s_slow ? last / 2 : last;
        return Math.Clamp(Math.Max(SizeMin, wanted), SizeMin, SizeMax);
    }

    private static async ValueTask NextAsync(RequestContext context)
    {
        string tag = Tag(context);
        DateTimeOffset now = context.Server.Time.GetUtcNow();
        bool hasDate = DateTimeOffset.TryParse(
            context.Query.GetText("lastRangeAt"), CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset lastAt);
        long size = NextSize(context.Query.GetCount("lastBatchSize", 0), hasDate ? lastAt : null, now);
        var range = new NextHiLoCommand(tag, size, context.Query.GetCount("lastMax", 0));
        await context.WriteAsync(range).ConfigureAwait(false);
        char configured = (char)context.Database.Replica.IdentitySeparator;
        string? sent = context.Query.GetText("identityPartsSeparator");
        string separator = configured != '/' || string.IsNullOrEmpty(sent) ? configured.ToString() : sent;
        await context.Json(201, json =>
        {
            json.WriteStartObject();
            json.WriteString("Prefix"u8, tag + separator);
            json.WriteNumber("Low"u8, range.Low);
            json.WriteNumber("High"u8, range.High);
            json.WriteNumber("LastSize"u8, size);
            json.WriteString("ServerTag"u8, context.Database.Replica.Node.Text);
            json.WriteString("LastRangeAt"u8, JsonAnswers.Date(now.UtcTicks));
            json.WriteEndObject();
        }).ConfigureAwait(false);
    }

    private static async ValueTask ReturnAsync(RequestContext context)
    {
        long end = context.Query.GetCount("end", 0);
        long last = context.Query.GetCount("last", 0);
        await context.WriteAsync(new ReturnHiLoCommand(Tag(context), end, last)).ConfigureAwait(false);
        await context.Empty(204).ConfigureAwait(false);
    }

    // The tag becomes part of a document's id, which is checked as one.
    private static string Tag(RequestContext context)
    {
        string tag = context.Query.GetRequiredText("tag");
        DocumentKey.Make($"Raven/Hilo/{tag}");
        return tag;
    }
}
