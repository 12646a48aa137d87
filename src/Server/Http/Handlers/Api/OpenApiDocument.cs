using System.Globalization;
using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Server.Http.Answers;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Http.Sessions;
using Route = Jackdaw.Server.Http.Routing.Route;

namespace Jackdaw.Server.Http.Handlers.Api;

/// <summary>Writes a table of routes as OpenAPI 3.1.</summary>
/// <param name="isSecured">Whether callers must say who they are.</param>
internal sealed class OpenApiDocument(Utf8JsonWriter json, bool isSecured)
{
    /// <summary>The methods that a path item of OpenAPI can have. All others stand in an extension.</summary>
    private static readonly string[] s_known = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"];

    private const string Wildcard = "*";

    public void Write(RouteTable routes)
    {
        json.WriteStartObject();
        json.WriteString("openapi"u8, "3.1.0"u8);
        json.WriteStartObject("info"u8);
        json.WriteString("title"u8, "Jackdaw"u8);
        json.WriteString("version"u8, ProtocolVersion.Product);
        json.WriteString(
            "description"u8, "A document database server. x-jackdaw-access is the access that a route needs; what it can need besides, its parts say."u8);
        json.WriteEndObject();
        json.WriteStartObject("paths"u8);
        foreach (Route route in routes.All.OrderBy(route => route.Template, StringComparer.Ordinal))
        {
            json.WriteStartObject(PathOf(route));
            WriteItem(route);
            json.WriteEndObject();
        }

        json.WriteEndObject();
        WriteComponents();
        json.WriteEndObject();
    }

    private static string PathOf(Route route) => route.Template.Replace(Wildcard, "{file}", StringComparison.Ordinal);

    private void WriteItem(Route route)
    {
        if (route.IsOfDatabase)
        {
            json.WriteStartArray("parameters"u8);
            WriteReference("#/components/parameters/database");
            json.WriteEndArray();
        }
        else if (route.Template.EndsWith(Wildcard, StringComparison.Ordinal))
        {
            json.WriteStartArray("parameters"u8);
            WritePathParameter("file", "The path of the file, with slashes.");
            json.WriteEndArray();
        }

        foreach (RouteMethod method in route.Methods.Where(method => s_known.Contains(method.Name)))
        {
            json.WritePropertyName(method.Name.ToLowerInvariant());
            WriteOperation(method);
        }

        RouteMethod[] others = [.. route.Methods.Where(method => !s_known.Contains(method.Name))];
        if (others.Length > 0)
        {
            json.WriteStartObject("x-jackdaw-methods"u8);
            foreach (RouteMethod method in others)
            {
                json.WritePropertyName(method.Name);
                WriteOperation(method);
            }

            json.WriteEndObject();
        }
    }

    private void WriteOperation(RouteMethod method)
    {
        RouteDescription description = method.Description;
        json.WriteStartObject();
        json.WriteString("operationId"u8, $"{method.Name.ToLowerInvariant()}{NameOf(method.Route)}");
        json.WriteString("summary"u8, description.Summary);
        WriteTexts("tags", [TagOf(method.Route)]);
        json.WriteString("x-jackdaw-access"u8, method.Access.ToString());
        WriteTexts("x-jackdaw-traits", TraitsOf(method));
        if (!isSecured || method.Access == Access.Anonymous)
        {
            WriteTexts("security", []);
        }

        if (description.Parameters.Count > 0)
        {
            json.WriteStartArray("parameters"u8);
            foreach (Input parameter in description.Parameters)
            {
                WriteParameter(parameter);
            }

            json.WriteEndArray();
        }

        if (description.Body is { } body)
        {
            WriteBody(body);
        }

        WriteAnswers(description);
        json.WriteEndObject();
    }

    private void WriteParameter(Input parameter)
    {
        json.WriteStartObject();
        json.WriteString("name"u8, parameter.Name);
        json.WriteString("in"u8, "query"u8);
        json.WriteString("description"u8, parameter.FullMeaning);
        json.WriteBoolean("required"u8, parameter.IsRequired);
        if (parameter.IsRefused)
        {
            json.WriteBoolean("deprecated"u8, true);
        }

        json.WritePropertyName("schema"u8);
        InputSchema.Write(json, parameter, isInBody: false);
        json.WritePropertyName("example"u8);
        InputSchema.WriteExample(json, parameter, isInBody: false);
        json.WriteEndObject();
    }

    private void WriteBody(Body body)
    {
        json.WriteStartObject("requestBody"u8);
        json.WriteString("description"u8, body.Meaning);
        json.WriteBoolean("required"u8, true);
        json.WriteStartObject("content"u8);
        json.WriteStartObject(body.MediaType);
        json.WritePropertyName("schema"u8);
        InputSchema.Write(json, body);
        json.WritePropertyName("example"u8);
        if (body.MediaType == MediaTypes.Json)
        {
            json.WriteRawValue(body.Example);
        }
        else
        {
            json.WriteStringValue(body.Example);
        }

        json.WriteEndObject();
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private void WriteAnswers(RouteDescription description)
    {
        json.WriteStartObject("responses"u8);
        foreach (RouteAnswer answer in description.Outcomes)
        {
            json.WriteStartObject(answer.Status.ToString(CultureInfo.InvariantCulture));
            json.WriteString("description"u8, answer.Meaning);
            if (answer.MediaTypes.Count > 0)
            {
                json.WriteStartObject("content"u8);
                foreach (string type in answer.MediaTypes)
                {
                    json.WriteStartObject(type);
                    json.WriteEndObject();
                }

                json.WriteEndObject();
            }

            json.WriteEndObject();
        }

        json.WritePropertyName("default"u8);
        WriteReference("#/components/responses/Problem");
        json.WriteEndObject();
    }

    private void WriteComponents()
    {
        json.WriteStartObject("components"u8);
        json.WriteStartObject("parameters"u8);
        json.WritePropertyName("database"u8);
        WritePathParameter("database", "The name of the database.");
        json.WriteEndObject();
        json.WritePropertyName("responses"u8);
        json.WriteRawValue("""
            {"Problem":{"description":"The request was refused or failed.","content":{"application/json":{"schema":{"type":"object",
            "required":["Url","Type","Message","Error"],"properties":{
            "Url":{"type":"string","description":"Path and query of the request."},
            "Type":{"type":"string","description":"What went wrong, for programs."},
            "Message":{"type":"string","description":"What went wrong and what to do, for people."},
            "Error":{"type":"string","description":"The same with more details."}}}}}}}
            """);
        if (isSecured)
        {
            json.WritePropertyName("securitySchemes"u8);
            json.WriteRawValue($$$"""
                {"certificate":{"type":"mutualTLS","description":"The certificate of the client."},
                "session":{"type":"apiKey","in":"cookie","name":"{{{SessionCookie.Name}}}","description":"The session that a login link began."}}
                """);
        }

        json.WriteEndObject();
        if (isSecured)
        {
            json.WritePropertyName("security"u8);
            json.WriteRawValue("""[{"certificate":[]},{"session":[]}]""");
        }
    }

    private void WritePathParameter(string name, string meaning)
    {
        json.WriteStartObject();
        json.WriteString("name"u8, name);
        json.WriteString("in"u8, "path"u8);
        json.WriteString("description"u8, meaning);
        json.WriteBoolean("required"u8, true);
        json.WriteStartObject("schema"u8);
        json.WriteString("type"u8, "string"u8);
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private void WriteReference(string target)
    {
        json.WriteStartObject();
        json.WriteString("$ref"u8, target);
        json.WriteEndObject();
    }

    private void WriteTexts(string name, IEnumerable<string> texts)
    {
        json.WriteStartArray(name);
        foreach (string text in texts)
        {
            json.WriteStringValue(text);
        }

        json.WriteEndArray();
    }

    // The words of the path: /databases/{database}/indexes/set-lock is DatabaseIndexesSetLock.
    private static string NameOf(Route route)
    {
        string[] words = route.Pattern.Replace(Wildcard, "file", StringComparison.Ordinal).Split('/', '-', '_', '.');
        string name = string.Concat(words.Where(word => word.Length > 0).Select(word => char.ToUpperInvariant(word[0]) + word[1..]));
        return route.IsOfDatabase ? $"Database{name}" : name.Length > 0 ? name : "Root";
    }

    private static string TagOf(Route route) =>
        route.Pattern.Split('/', StringSplitOptions.RemoveEmptyEntries).FirstOrDefault(word => word != "admin") ?? "studio";

    private static IEnumerable<string> TraitsOf(RouteMethod method)
    {
        bool isSocket = method.Description.Outcomes.Any(answer => answer.Status == StatusCodes.Status101SwitchingProtocols);
        IEnumerable<RouteTraits> traits = Enum.GetValues<RouteTraits>().Where(trait => trait != RouteTraits.None && method.Has(trait));
        return traits.Select(trait => trait.ToString()).Concat(isSocket ? ["WebSocket"] : []);
    }
}
