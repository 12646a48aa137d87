using System.Text.Json;
using System.Text.RegularExpressions;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.QueryEditing;

/// <summary>Reads a query for an editor: its tokens, its mistakes, and the words that may stand at a place. Nothing is run.</summary>
internal static partial class QueryParseHandlers
{
    public static void Map(RouteTable routes) =>
        routes.Database("POST", "/queries/parse", Access.Read, RouteTraits.None, PostAsync)
            .Says("Reads a query for an editor and runs nothing.")
            .Sends(Body.Object(
                "The query.",
                Input.Text("Query", "The text, which may be unfinished.", "from Orders where ").Required(),
                Input.Count("Position", "Where words are completed, in UTF-16 units; without it nothing is completed.", "18"),
                Input.Json("QueryParameters", "The parameters, whose names complete too.", """{"company":null}""")))
            .Answers(200, "Tokens, Remarks, Parameters and the Completion.");

    private static async ValueTask PostAsync(RequestContext context)
    {
        (string text, int? position, IReadOnlyList<string> parameters) = await ReadAsync(context).ConfigureAwait(false);
        if (text.Length > QueryLimits.TextCharactersMax)
        {
            throw new RequestRefusedException(Problem.Argument(
                $"The query has {text.Length} characters, and the longest that is read has {QueryLimits.TextCharactersMax}."));
        }

        if (position < 0 || position > text.Length)
        {
            throw new RequestRefusedException(Problem.Argument($"'Position' is {position}; it must be 0 to {text.Length}, the length of 'Query'."));
        }

        (QuerySyntax? syntax, IReadOnlyList<QueryToken> tokens, QueryFault? fault) = QueryReading.Read(text, QueryText.Check);
        CompletionList? completion = position is { } at ? await Completer.CompleteAsync(context, text, at, parameters).ConfigureAwait(false) : null;
        QueryRemark? remark = fault is not null ? QueryRemark.Of(text, tokens, fault) : SourceCheck.Check(context, syntax!, tokens);
        await context.Json(StatusCodes.Status200OK, json =>
        {
            json.WriteStartObject();
            json.WriteBoolean("HasUpdate"u8, syntax?.Update is not null);
            WriteTokens(json, tokens);
            WriteParameters(json, text, tokens);
            json.WriteStartArray("Remarks"u8);
            remark?.Write(json);
            json.WriteEndArray();
            completion?.Write(json);
            json.WriteEndObject();
        }).ConfigureAwait(false);
    }

    private static async ValueTask<(string Text, int? Position, IReadOnlyList<string> Parameters)> ReadAsync(RequestContext context)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A query to parse").ConfigureAwait(false);
        string text = body.Root.TextMember("Query")
            ?? throw new RequestRefusedException(Problem.Argument("The body has no member 'Query'; give the text there."));
        int? position = body.Root.Member("Position") switch
        {
            null => null,
            { ValueKind: JsonValueKind.Number } number when number.TryGetInt32(out int at) => at,
            { } other => throw new RequestRefusedException(Problem.Argument($"'Position' must be a whole number, not {other.GetRawText()}.")),
        };
        IReadOnlyList<string> parameters = body.Root.Member("QueryParameters") switch
        {
            null => [],
            { ValueKind: JsonValueKind.Object } values => [.. values.EnumerateObject().Select(value => value.Name)],
            _ => throw new RequestRefusedException(Problem.Argument("'QueryParameters' must be an object.")),
        };
        return (text, position, parameters);
    }

    private static void WriteTokens(Utf8JsonWriter json, IReadOnlyList<QueryToken> tokens)
    {
        json.WriteStartArray("Tokens"u8);
        foreach (QueryToken token in tokens)
        {
            json.WriteStartObject();
            json.WriteNumber("Start"u8, token.Start);
            json.WriteNumber("End"u8, token.End);
            json.WriteString("Kind"u8, token.Kind.ToString());
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    // Each name once, in the order of the text. In a script a variable may have such a name too; editors send no value for what nobody fills in.
    private static void WriteParameters(Utf8JsonWriter json, string text, IReadOnlyList<QueryToken> tokens)
    {
        IEnumerable<string> names = tokens.SelectMany(token => token.Kind switch
        {
            QueryTokenKind.Parameter => [text[(token.Start + 1)..token.End]],
            QueryTokenKind.Script => ScriptParameter().Matches(text[token.Start..token.End]).Select(match => match.Groups["name"].Value),
            _ => Enumerable.Empty<string>(),
        });
        JsonAnswers.WriteTexts(json, "Parameters", names.Distinct());
    }

    [GeneratedRegex(@"(?<![\w$])\$(?<name>[\p{L}_]\w*)")]
    private static partial Regex ScriptParameter();
}
