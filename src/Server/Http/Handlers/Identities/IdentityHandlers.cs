using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Handlers.Documents;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers.Identities;

/// <summary>Answers requests for identities: numbers without gaps, with one counter per name.</summary>
internal static class IdentityHandlers
{
    private static readonly Input s_name = Input.Text("name", "The name of the identity.", "invoices").Required();

    public static void Map(RouteTable routes)
    {
        routes.Database("POST", "/identity/next", Access.ReadWrite, RouteTraits.None, NextAsync)
            .Says("Takes the next number of an identity.")
            .Takes(s_name)
            .Answers(200, "NewIdentityValue has it.");
        routes.Database("POST", "/identity/seed", Access.ReadWrite, RouteTraits.None, SeedAsync)
            .Says("Sets the number of an identity.")
            .Takes(s_name, Input.Count("value", "The number.", "100").Required(), Input.Flag("force", "Whether the number may become smaller."))
            .Answers(200, "NewSeedValue has the number that holds now.");
        routes.Database("GET", "/debug/identities", Access.Read, RouteTraits.InMultiGet, List)
            .Says("Lists identities and their numbers.")
            .Takes(Inputs.Page)
            .Answers(200, "The numbers by name.");
    }

    private static ValueTask NextAsync(RequestContext context) =>
        WriteAsync(context, IdentityCommand.Next(Name(context)), "NewIdentityValue");

    private static ValueTask SeedAsync(RequestContext context)
    {
        context.Query.GetRequiredText("value");
        long value = context.Query.GetCount("value", 0);
        bool force = context.Query.GetFlag("force");
        return WriteAsync(context, IdentityCommand.Seed(Name(context), value, force), "NewSeedValue");
    }

    private static async ValueTask WriteAsync(RequestContext context, IdentityCommand command, string member)
    {
        await context.WriteAsync(command).ConfigureAwait(false);
        await context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteNumber(member, command.Value);
            json.WriteEndObject();
        }).ConfigureAwait(false);
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

    // A name becomes the beginning of ids, so it is checked like an id.
    private static string Name(RequestContext context)
    {
        string name = context.Query.GetRequiredText("name");
        name = name.EndsWith('|') ? name : name + "|";
        DocumentKey.Make(name);
        return name;
    }
}
