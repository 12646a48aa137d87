using System.Text.Json;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Api;

/// <summary>Writes the routes as a list with what a person needs to send a request.</summary>
internal static class RouteList
{
    public static void Write(Utf8JsonWriter json, RouteTable routes)
    {
        json.WriteStartObject();
        json.WriteStartArray("Routes"u8);
        foreach (RouteMethod method in routes.All.OrderBy(route => route.Template, StringComparer.Ordinal).SelectMany(route => route.Methods))
        {
            Write(json, method);
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, RouteMethod method)
    {
        RouteDescription description = method.Description;
        json.WriteStartObject();
        json.WriteString("Method"u8, method.Name);
        json.WriteString("Path"u8, method.Route.Template);
        json.WriteString("Access"u8, method.Access.ToString());
        json.WriteString("Summary"u8, description.Summary);
        json.WriteStartArray("Parameters"u8);
        foreach (Input parameter in description.Parameters)
        {
            json.WriteStartObject();
            json.WriteString("Name"u8, parameter.Name);
            json.WriteString("Kind"u8, parameter.Kind.ToString());
            json.WriteString("Meaning"u8, parameter.FullMeaning);
            json.WriteString("Example"u8, parameter.Example);
            json.WriteBoolean("IsRequired"u8, parameter.IsRequired);
            json.WriteBoolean("IsRepeated"u8, parameter.IsRepeated);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteString("Body"u8, description.Body?.Example);
        json.WriteEndObject();
    }
}
