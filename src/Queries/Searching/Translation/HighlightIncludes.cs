using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Search;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;

namespace Jackdaw.Queries.Searching.Translation;

/// <summary>The fields that a query highlights. Writes the highlighted pieces as clients read them.</summary>
internal sealed class HighlightIncludes
{
    private static readonly JsonWriterOptions s_plain = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>The colours of the searched words, in the order of the words.</summary>
    private static readonly string[] s_colours =
        [.. new[] { "yellow", "lawngreen", "aquamarine", "magenta", "palegreen", "coral" }.Select(colour => $"<b style=\"background:{colour}\">")];

    /// <summary>The most bytes of all pieces of an answer.</summary>
    private const long BytesMax = 16L << 20;

    /// <summary>The most characters of a tag, which encloses each marked word.</summary>
    private const int TagLengthMax = 256;

    private readonly QuerySyntax _query;
    private readonly ParameterValues _parameters;
    private readonly List<Item> _items = [];

    private HighlightIncludes(QuerySyntax query, ParameterValues parameters)
    {
        _query = query;
        _parameters = parameters;
    }

    /// <summary>The fields that a query highlights; null when it highlights none.</summary>
    /// <exception cref="InvalidQueryException">The query cannot be run as it is written.</exception>
    public static HighlightIncludes? Read(QuerySyntax query, ParameterValues parameters, SearchConditions conditions, bool isAuto)
    {
        HighlightIncludes? highlights = null;
        foreach (Expression include in query.Includes)
        {
            if (include is MethodExpression method && method.Is("highlight"))
            {
                highlights ??= new HighlightIncludes(query, parameters);
                highlights._items.Add(highlights.ReadOne(method, conditions, isAuto));
            }
        }

        return highlights;
    }

    /// <exception cref="InvalidQueryException">A field cannot be highlighted in an index with these fields.</exception>
    public void Check(IndexFields fields)
    {
        foreach (Item item in _items)
        {
            if (fields.Find(item.Request.Field) is not { Indexing: IndexingMode.Text, IsStored: true, HasTermVectors: true })
            {
                throw InvalidQueryException.At(_query.Text, item.TextPosition,
                    $"the field '{item.Name}' cannot be highlighted: set Indexing to Search, Storage to Yes and TermVector to WithPositionsAndOffsets.");
            }
        }
    }

    /// <summary>The highlighted pieces of the entries of rows.</summary>
    /// <returns>A JSON object: fields, then keys, then pieces.</returns>
    /// <exception cref="InvalidQueryException">The pieces are too long together.</exception>
    public byte[] Write(Searcher searcher, SearchNode node, IReadOnlyList<HighlightedRow> rows, CancellationToken cancellation)
    {
        using var stream = new MemoryStream();
        using (var json = new Utf8JsonWriter(stream, s_plain))
        {
            json.WriteStartObject();
            foreach ((string name, string? groupKey, HighlightRequest request, _) in _items)
            {
                json.WriteStartObject(name);
                List<(string Key, int Ordinal)> entries =
                [
                    .. rows.Select(row => (Key: KeyOf(searcher, row, groupKey)!, row.Ordinal))
                        .Where(entry => entry.Key is not null).DistinctBy(entry => entry.Key),
                ];
                IEnumerable<IReadOnlyList<string>> found = searcher.Highlight(entries.Select(entry => entry.Ordinal), node, request, cancellation);
                foreach (((string key, _), IReadOnlyList<string> pieces) in entries.Zip(found))
                {
                    JsonAnswers.WriteTexts(json, key, pieces);
                    CheckLength(stream.Length + json.BytesPending);
                }

                json.WriteEndObject();
            }

            json.WriteEndObject();
        }

        return stream.ToArray();
    }

    private static void CheckLength(long bytes)
    {
        if (bytes > BytesMax)
        {
            throw new InvalidQueryException(
                $"The highlighted pieces have more than {BytesMax} bytes together: ask for fewer or shorter ones, or for fewer results.");
        }
    }

    private static string? KeyOf(Searcher searcher, HighlightedRow row, string? groupKey)
    {
        if (groupKey is null)
        {
            return row.Name;
        }

        StoredValue found = searcher.ReadStored(row.Ordinal).FirstOrDefault(value => value.Field == groupKey);
        return found.Field is null ? null : Encoding.UTF8.GetString(found.Utf8.Span);
    }

    private Item ReadOne(MethodExpression method, SearchConditions conditions, bool isAuto)
    {
        string name = conditions.FieldOf(method.Arguments[0].Value);
        QueryOptions options = method.Arguments.Count < 4 ? QueryOptions.None : QueryOptions.Read(_query, _parameters, method.Arguments[3].Value);
        (IReadOnlyList<string> before, IReadOnlyList<string> behind) = (options.Texts("PreTags"), options.Texts("PostTags"));
        if (before.Concat(behind).Any(tag => tag.Length > TagLengthMax))
        {
            throw InvalidQueryException.At(_query.Text, method.TextPosition, $"a tag of highlighted words has at most {TagLengthMax} characters.");
        }

        bool hasTags = before.Count > 0 && behind.Count > 0;
        var request = new HighlightRequest(
            isAuto ? AutoFieldNames.Search(name) : name, NumberOf(method, 1), NumberOf(method, 2),
            hasTags ? before : s_colours, hasTags ? behind : ["</b>"]);
        return new Item(conditions.ShownName(method.Arguments[0].Value), options.Text("GroupKey"), request, method.TextPosition);
    }

    private int NumberOf(MethodExpression method, int argument) =>
        _parameters.Resolve(method.Arguments[argument].Value) is { Kind: QueryValueKind.Long, Long: > 0 and <= int.MaxValue } number
            ? (int)number.Long
            : throw InvalidQueryException.At(
                _query.Text, method.Arguments[argument].Value.TextPosition, "the length and the count of highlighted pieces are numbers above 0.");

    /// <param name="GroupKey">A stored field whose value names the pieces of an entry; null when the id names them.</param>
    private sealed record Item(string Name, string? GroupKey, HighlightRequest Request, int TextPosition);
}

/// <summary>The entry of a row whose texts are highlighted.</summary>
/// <param name="Name">The name of its pieces: the id of the document as it is stored, because clients look for exactly that.</param>
internal readonly record struct HighlightedRow(string Name, int Ordinal);
