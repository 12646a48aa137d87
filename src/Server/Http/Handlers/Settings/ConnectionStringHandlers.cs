using System.Buffers;
using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Settings;

/// <summary>Connection strings of a database. They are members of its record: this version keeps them and gives them back, and uses none.</summary>
internal static class ConnectionStringHandlers
{
    private const string Path = "/admin/connection-strings";
    private const string MapSuffix = "ConnectionStrings";

    private static readonly Input s_type = Input.Text("type", "The type of the connection string, such as Raven, Sql or Olap.", "Sql");

    public static void Map(RouteTable routes)
    {
        routes.Database("GET", Path, Access.Admin, RouteTraits.InMultiGet, Get)
            .Says("Lists connection strings, which this version keeps and does not use.")
            .Takes(s_type, Input.Text("connectionStringName", "Only the connection string of this name.", "Reports").With(s_type))
            .Answers(200, "A map by name for each type.");
        routes.Database("PUT", Path, Access.Admin, RouteTraits.Audited, PutAsync)
            .Says("Puts a connection string.")
            .Sends(Body.Object(
                "The connection string, with the members of its type.",
                Input.Text("Name", "The name.", "Reports").Required(),
                Input.Text("Type", "The type.", "Sql").Required(),
                Input.Text("ConnectionString", "Where the other side is; other types have other members.", "Server=reports"),
                Input.Text("FactoryName", "The kind of the other side.", "Npgsql")))
            .Answers(200, "RaftCommandIndex, the number of the change.");
        routes.Database("DELETE", Path, Access.Admin, RouteTraits.Audited, DeleteAsync)
            .Says("Deletes a connection string.")
            .Takes(s_type.Required(), Input.Text("connectionString", "The name of the connection string.", "Reports").Required())
            .Answers(200, "RaftCommandIndex, the number of the change.");
    }

    // All maps are in the answer; with a name, only the connection string of that name and type.
    private static ValueTask Get(RequestContext context)
    {
        string? name = context.Query.GetText("connectionStringName");
        string? map = context.Query.GetText("type") is { } type ? MapOf(type) : null;
        if (name is not null && map is null)
        {
            throw new RequestRefusedException(Problem.Argument(
                $"The type of the connection string '{name}' is missing; send connectionStringName and type, which is {ListTypes()}."));
        }

        Dictionary<string, JsonElement?> maps = RecordDefaults.ConnectionStringMaps.ToDictionary(one => one, one => RecordChanges.Find(context, one));
        return context.Json(200, json =>
        {
            json.WriteStartObject();
            foreach ((string one, JsonElement? found) in maps)
            {
                json.WriteStartObject(one);
                foreach (JsonProperty property in MembersOf(map is null || map == one ? found : null).Where(property => IsNamed(property, name)))
                {
                    property.WriteTo(json);
                }

                json.WriteEndObject();
            }

            json.WriteEndObject();
        });
    }

    private static async ValueTask PutAsync(RequestContext context)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A connection string").ConfigureAwait(false);
        string name = body.Root.TextMember("Name") is { Length: > 0 } given ? given
            : throw new RequestRefusedException(Problem.Argument("A connection string has no Name; give it one."));
        string map = MapOf(body.Root.TextMember("Type") ?? "");
        JsonElement sent = body.Root;
        await ChangeAsync(context, map, name, sent).ConfigureAwait(false);
    }

    private static async ValueTask DeleteAsync(RequestContext context) => await ChangeAsync(
        context, MapOf(context.Query.GetRequiredText("type")), context.Query.GetRequiredText("connectionString"), null).ConfigureAwait(false);

    /// <param name="written">Null: the connection string is removed.</param>
    private static async ValueTask ChangeAsync(RequestContext context, string map, string name, JsonElement? written)
    {
        var changed = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(changed))
        {
            json.WriteStartObject();
            foreach (JsonProperty property in MembersOf(RecordChanges.Find(context, map)).Where(property => !IsNamed(property, name)))
            {
                property.WriteTo(json);
            }

            if (written is { } value)
            {
                json.WritePropertyName(name);
                value.WriteTo(json);
            }

            json.WriteEndObject();
        }

        long index = await RecordChanges.SetAsync(context, map, changed.WrittenMemory).ConfigureAwait(false);
        await RecordChanges.AnswerAsync(context, index).ConfigureAwait(false);
    }

    private static string MapOf(string type) =>
        RecordDefaults.ConnectionStringMaps.FirstOrDefault(map => map.Equals(type + MapSuffix, StringComparison.OrdinalIgnoreCase))
        ?? throw new RequestRefusedException(Problem.Argument($"The type of a connection string must be {ListTypes()}, not '{type}'."));

    private static string ListTypes() => string.Join(", ", RecordDefaults.ConnectionStringMaps.Select(map => map[..^MapSuffix.Length]));

    private static JsonElement.ObjectEnumerator MembersOf(JsonElement? map) =>
        map is { ValueKind: JsonValueKind.Object } found ? found.EnumerateObject() : default;

    private static bool IsNamed(JsonProperty property, string? name) => name is null || property.Name.Equals(name, StringComparison.OrdinalIgnoreCase);
}
