using Jackdaw.Server.Documents;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http;

/// <summary>Identities: numbers without gaps, one counter per name.</summary>
internal static class IdentityHandlers
{
    public static void Map(RouteTable routes)
    {
        routes.Database("POST", "/identity/next", NextAsync);
        routes.Database("POST", "/identity/seed", SeedAsync);
        routes.Database("GET", "/debug/identities", List);
    }

    private static async ValueTask NextAsync(RequestContext context)
    {
        string name = Name(context);
        IdentityResult result = await context.Database.NextIdentityAsync(name, context.Aborted).ConfigureAwait(false);
        if (result.Status == WriteStatus.NumbersExhausted)
        {
            throw WriteProblems.IdentityExhausted(context.Database, name);
        }

        await AnswerAsync(context, result, "NewIdentityValue").ConfigureAwait(false);
    }

    private static async ValueTask SeedAsync(RequestContext context)
    {
        context.Query.GetRequiredText("value");
        long value = context.Query.GetCount("value", 0);
        bool force = context.Query.GetFlag("force");
        IdentityResult result = await context.Database.SeedIdentityAsync(Name(context), value, force, context.Aborted)
            .ConfigureAwait(false);
        await AnswerAsync(context, result, "NewSeedValue").ConfigureAwait(false);
    }

    private static ValueTask AnswerAsync(RequestContext context, IdentityResult result, string member)
    {
        context.Cost = result.Cost;
        WriteProblems.Check(result.Status, context.Database);
        return context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteNumber(member, result.Value);
            json.WriteEndObject();
        });
    }

    private static ValueTask List(RequestContext context)
    {
        int start = (int)Math.Min(context.Query.GetCount("start", 0), int.MaxValue);
        int count = (int)Math.Min(context.Query.GetCount("pageSize", int.MaxValue), int.MaxValue);
        IReadOnlyList<KeyValuePair<string, long>> identities;
        using (DocumentReadScope read = context.Database.BeginRead(ReaderKind.Statistics))
        {
            identities = read.GetIdentities(start, count);
        }

        return context.Json(200, json =>
        {
            json.WriteStartObject();
            foreach ((string name, long value) in identities)
            {
                json.WriteNumber(name, value);
            }

            json.WriteEndObject();
        });
    }

    // A name becomes the beginning of ids, which is checked as one.
    private static string Name(RequestContext context)
    {
        string name = context.Query.GetRequiredText("name");
        name = name.EndsWith('|') ? name : name + "|";
        DocumentKey.Make(name);
        return name;
    }
}
