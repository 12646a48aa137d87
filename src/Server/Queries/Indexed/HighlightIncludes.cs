using System.Text.Encodings.Web;
using System.Text.Json;
using Jackdaw.Search;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Server.Indexing.Mapping;
using Jackdaw.Server.Queries.Evaluation;
using Jackdaw.Server.Queries.Language;

namespace Jackdaw.Server.Queries.Indexed;

/// <summary>Reads which fields a query wants highlighted, and writes their pieces as clients read them.</summary>
internal sealed class HighlightIncludes(QuerySyntax query, ParameterValues parameters, SearchConditions conditions, bool isAuto)
{
    private static readonly JsonWriterOptions s_plain = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>Colours of the searched words, the first for the first.</summary>
    private static readonly string[] s_colours =
        [.. new[] { "yellow", "lawngreen", "aquamarine", "magenta", "palegreen", "coral" }.Select(colour => $"<b style=\"background:{colour}\">")];

    private readonly List<(string Name, string? GroupKey, HighlightRequest Request)> _items = [];

    public bool Any => _items.Count > 0;

    /// <exception cref="InvalidQueryException">A field cannot be highlighted.</exception>
    public void Read(IndexFields fields)
    {
        foreach (MethodExpression method in query.Includes.OfType<MethodExpression>().Where(method => method.Is("highlight")))
        {
            string name = conditions.FieldOf(method.Arguments[0].Value);
            string field = isAuto ? AutoFieldNames.Search(name) : name;
            if (fields.Find(field) is not { Indexing: IndexingMode.Text, IsStored: true })
            {
                throw InvalidQueryException.At(query.Text, method.TextPosition,
                    $"the field '{name}' cannot be highlighted: set Indexing to Search, Storage to Yes and TermVector to WithPositionsAndOffsets.");
            }

            QueryOptions options = method.Arguments.Count < 4 ? QueryOptions.None : QueryOptions.Read(query, parameters, method.Arguments[3].Value);
            (IReadOnlyList<string> before, IReadOnlyList<string> behind) = (options.Texts("PreTags"), options.Texts("PostTags"));
            _items.Add((name, options.Text("GroupKey"), new HighlightRequest(
                field, NumberOf(method, 1), NumberOf(method, 2),
                before.Count > 0 && behind.Count > 0 ? before : s_colours, before.Count > 0 && behind.Count > 0 ? behind : ["</b>"])));
        }
    }

    /// <summary>The pieces of the entries of a page.</summary>
    /// <returns>A JSON object: fields, then keys, then pieces.</returns>
    public byte[] Write(Searcher searcher, SearchNode node, IReadOnlyList<SearchHit> hits)
    {
        using var stream = new MemoryStream();
        using (var json = new Utf8JsonWriter(stream, s_plain))
        {
            json.WriteStartObject();
            foreach ((string name, string? groupKey, HighlightRequest request) in _items)
            {
                json.WriteStartObject(name);
                HashSet<string> keys = [];
                foreach (SearchHit hit in hits)
                {
                    if (KeyOf(searcher, hit, groupKey) is { } key && keys.Add(key))
                    {
                        json.WriteStartArray(key);
                        foreach (string piece in searcher.Highlight(hit.Ordinal, node, request))
                        {
                            json.WriteStringValue(piece);
                        }

                        json.WriteEndArray();
                    }
                }

                json.WriteEndObject();
            }

            json.WriteEndObject();
        }

        return stream.ToArray();
    }

    private static string? KeyOf(Searcher searcher, SearchHit hit, string? groupKey) => groupKey is null
        ? hit.Id
        : searcher.ReadStored(hit.Ordinal).FirstOrDefault(field => field.Key == groupKey).Value;

    private int NumberOf(MethodExpression method, int argument) =>
        parameters.Resolve(method.Arguments[argument].Value) is { Kind: QueryValueKind.Long, Long: > 0 and <= int.MaxValue } number
            ? (int)number.Long
            : throw InvalidQueryException.At(
                query.Text, method.Arguments[argument].Value.TextPosition, "the length and the count of highlighted pieces are numbers above 0.");
}
