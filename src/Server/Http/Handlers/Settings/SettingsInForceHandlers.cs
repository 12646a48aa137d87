using Jackdaw.Documents.Callers;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Settings;

/// <summary>Shows the settings of the server, and where each comes from.</summary>
internal static class SettingsInForceHandlers
{
    public static void Map(RouteTable routes) =>
        routes.Server("GET", "/admin/configuration/settings", Access.Operator, RouteTraits.None, Get)
            .Says("Shows the settings that the server was started with, and where each comes from.")
            .Answers(200, "Settings has their names, values, defaults, sources and meanings; secrets that are set have no value.");

    private static ValueTask Get(RequestContext context) => context.Json(200, context.Server.Options.Settings, static (json, settings) =>
    {
        json.WriteStartObject();
        json.WriteStartArray("Settings"u8);
        foreach (SettingInForce setting in settings)
        {
            json.WriteStartObject();
            json.WriteString("Name"u8, setting.Name);
            json.WriteString("Value"u8, setting.Value);
            json.WriteString("Default"u8, setting.Default);
            json.WriteString("Source"u8, setting.Source);
            json.WriteString("Meaning"u8, setting.Meaning);
            json.WriteBoolean("IsSecret"u8, setting.Value is null);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    });
}
