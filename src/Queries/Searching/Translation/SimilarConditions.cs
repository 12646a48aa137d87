using System.Text.Json;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Search.Queries;

namespace Jackdaw.Queries.Searching.Translation;

/// <summary>Turns <c>moreLikeThis</c> into a search.</summary>
internal sealed class SimilarConditions(QuerySyntax query, ParameterValues parameters, SearchConditions conditions)
{
    /// <exception cref="InvalidQueryException">The query cannot be run as it is written.</exception>
    public SimilarNode Translate(MethodExpression method)
    {
        SimilarOptions options = method.Arguments.Count < 2 ? new SimilarOptions() : Read(QueryOptions.Read(query, parameters, method.Arguments[1].Value));
        Expression source = method.Arguments[0].Value;
        if (source is not (LiteralExpression or ParameterExpression))
        {
            return SearchOrder.IsRanked(source)
                ? throw InvalidQueryException.At(query.Text, source.TextPosition,
                    "'moreLikeThis' takes a condition that names a document, as in moreLikeThis(id() = 'Products/1-A'), or a made-up document.")
                : new SimilarNode(conditions.Translate(source), [], options);
        }

        List<KeyValuePair<string, string>> texts = [];
        try
        {
            using JsonDocument json = JsonDocument.Parse(parameters.Resolve(source).Text);
            Collect("", json.RootElement, texts);
        }
        catch (JsonException)
        {
            throw InvalidQueryException.At(query.Text, source.TextPosition, "a made-up document is a JSON object, or text that holds one.");
        }

        return new SimilarNode(null, texts, options);
    }

    // A value belongs to the last name before it. The recursion is bounded, because JSON is read to 64 levels only.
    private static void Collect(string name, JsonElement value, List<KeyValuePair<string, string>> texts)
    {
        switch (value.ValueKind)
        {
            case JsonValueKind.Object:
                foreach (JsonProperty member in value.EnumerateObject())
                {
                    Collect(member.Name, member.Value, texts);
                }

                break;
            case JsonValueKind.Array:
                foreach (JsonElement element in value.EnumerateArray())
                {
                    Collect(name, element, texts);
                }

                break;
            case JsonValueKind.String:
                texts.Add(KeyValuePair.Create(name, value.GetString()!));
                break;
            case JsonValueKind.Number or JsonValueKind.True or JsonValueKind.False:
                texts.Add(KeyValuePair.Create(name, value.GetRawText()));
                break;
        }
    }

    private SimilarOptions Read(QueryOptions options)
    {
        var defaults = new SimilarOptions();
        int percent = options.Int("MaximumDocumentFrequencyPercentage", -1);
        IReadOnlyList<string> fields = options.Texts("Fields");
        return new SimilarOptions
        {
            TermFrequencyMin = options.Int("MinimumTermFrequency", defaults.TermFrequencyMin),
            QueryTermsMax = options.Int("MaximumQueryTerms", defaults.QueryTermsMax),
            TokensMax = options.Int("MaximumNumberOfTokensParsed", defaults.TokensMax),
            WordLengthMin = options.Int("MinimumWordLength", 0),
            WordLengthMax = options.Int("MaximumWordLength", 0),
            DocumentFrequencyMin = options.Int("MinimumDocumentFrequency", defaults.DocumentFrequencyMin),
            DocumentFrequencyMax = options.Int("MaximumDocumentFrequency", defaults.DocumentFrequencyMax),
            DocumentFrequencyPercentMax = percent < 0 ? null : percent,
            IsBoosted = options.Bool("Boost"),
            BoostFactor = (float)options.Double("BoostFactor", 1),
            Fields = fields.Count == 0 ? null : [.. fields.Select(conditions.FieldOf)],
            StopWords = StopWordsOf(options.Text("StopWordsDocumentId")),
        };
    }

    private HashSet<string> StopWordsOf(string? id)
    {
        if (id is null)
        {
            return [];
        }

        using JsonDocument document = conditions.LoadDocument(id)
            ?? throw new InvalidQueryException($"There is no document '{id}' with stop words.");
        return [.. new QueryOptions(document.RootElement).Texts("StopWords").Select(word => word.ToLowerInvariant())];
    }
}
