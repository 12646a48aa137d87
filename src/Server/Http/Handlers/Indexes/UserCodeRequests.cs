using System.Text.Json;
using Jackdaw.Documents.Databases;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>Reads and answers lists of analyzers and sorters, and finds the databases that use those of the server.</summary>
internal static class UserCodeRequests
{
    /// <summary>The most bytes of one request: dozens of the longest texts.</summary>
    private const int BodyBytesMax = 4 << 20;

    /// <summary>How long a change of server-wide code waits for a database to be opened that may use it.</summary>
    private static readonly TimeSpan s_openingPatience = TimeSpan.FromSeconds(30);

    /// <summary>The body that <see cref="ReadAsync"/> reads.</summary>
    /// <param name="name">The name of the example.</param>
    /// <param name="code">The code of the example.</param>
    public static Body Describe(CodeTable table, string name, string code) => Body.Object(
        "The code, each with its name.",
        Input.Json(table.Name, "Objects with the texts Name and Code.", JsonSerializer.Serialize(new[] { new { Name = name, Code = code } })).Required());

    /// <summary>Reads the body of a request.</summary>
    /// <param name="table">The kind, whose name is the member of the body.</param>
    public static async ValueTask<List<UserCode>> ReadAsync(RequestContext context, CodeTable table)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, $"A list of {table.Name.ToLowerInvariant()}", BodyBytesMax).ConfigureAwait(false);
        return body.Root.Member(table.Name) is { ValueKind: JsonValueKind.Array } list
            ? [.. list.EnumerateArray().Select(element => Read(element, table))]
            : throw new RequestRefusedException(Problem.Argument(
                $"The member '{table.Name}' is missing: send {{\"{table.Name}\":[{{\"Name\":\"...\",\"Code\":\"...\"}}, ...]}}."));
    }

    public static ValueTask AnswerAsync(RequestContext context, CodeTable table, IEnumerable<UserCode> codes) => context.Json(200, json =>
    {
        json.WriteStartObject();
        json.WriteStartArray(table.Name);
        foreach (UserCode code in codes)
        {
            json.WriteStartObject();
            json.WriteString("Name"u8, code.Name);
            json.WriteString("Code"u8, code.Code);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    });

    /// <summary>The code of the server.</summary>
    public static UserCode[] ListOfServer(RequestContext context, CodeTable table) =>
        [.. context.Databases.Texts.List(table.Name).Select(text => CodeTable.Parse(text))];

    /// <summary>Stores code for all databases.</summary>
    public static Task PutOfServerAsync(RequestContext context, CodeTable table, IReadOnlyList<UserCode> codes) =>
        context.Databases.PutTextsAsync(table.Name, [.. codes.Select(code => (code.Name, CodeTable.Format(code)))], context.Aborted);

    /// <summary>The analyzers of all databases that are open, or are just being opened.</summary>
    public static async Task<List<AnalyzerCatalog>> ListOpenAnalyzersAsync(RequestContext context)
    {
        List<AnalyzerCatalog> found = [];
        foreach (DatabaseRecord record in context.Databases.ListRecords())
        {
            DatabaseLookup lookup = context.Databases.Find(record.Name);
            if (lookup.Status == DatabaseLookupStatus.Loading)
            {
                lookup = await context.Databases.FindOpenAsync(record.Name, s_openingPatience, context.Aborted).ConfigureAwait(false);
            }

            if (lookup.Database?.FindPart<DatabaseIndexes>() is { } indexes)
            {
                found.Add(indexes.Analyzers);
            }
        }

        return found;
    }

    /// <summary>The analyzers of all databases that are enabled. Each is opened for that.</summary>
    /// <exception cref="RequestRefusedException">One of them cannot be opened.</exception>
    public static async Task<List<(string Database, AnalyzerCatalog Analyzers)>> ListAnalyzersAsync(RequestContext context)
    {
        List<(string, AnalyzerCatalog)> found = [];
        foreach (DatabaseRecord record in context.Databases.ListRecords().Where(record => !record.IsDisabled))
        {
            DatabaseLookup lookup = await context.Databases.FindOpenAsync(record.Name, s_openingPatience, context.Aborted).ConfigureAwait(false);
            if (lookup.Status != DatabaseLookupStatus.Missing && RequestedDatabase.ToProblem(lookup, record.Name) is { } problem)
            {
                throw new RequestRefusedException(problem with { Message = $"{problem.Message} It may use the analyzer, so nothing was changed." });
            }

            if (lookup.Database is { } database && database.FindPart<DatabaseIndexes>() is { } indexes)
            {
                found.Add((record.Name, indexes.Analyzers));
            }
        }

        return found;
    }

    private static UserCode Read(JsonElement element, CodeTable table) =>
        element.ValueKind == JsonValueKind.Object
        && element.Member("Name") is { ValueKind: JsonValueKind.String } name && element.Member("Code") is { ValueKind: JsonValueKind.String } code
            ? new UserCode(name.GetString()!.Trim(), code.GetString()!)
            : throw new RequestRefusedException(Problem.Argument($"Each of the {table.Name} has two texts, 'Name' and 'Code'."));
}
