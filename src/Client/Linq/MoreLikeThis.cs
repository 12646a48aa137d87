using System.Linq.Expressions;
using System.Text.Json;
using System.Text.Json.Nodes;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.Linq;

/// <summary>Which terms make documents similar. Null for the server's default.</summary>
public sealed class MoreLikeThisOptions
{
    /// <summary>Fields that are compared; null: all.</summary>
    public string[]? Fields { get; set; }

    /// <summary>How often a term must occur in the document. Default of the server: 2.</summary>
    public int? MinimumTermFrequency { get; set; }

    /// <summary>Largest number of terms that are searched. Default of the server: 25.</summary>
    public int? MaximumQueryTerms { get; set; }

    /// <summary>Largest number of words that are read from a field. Default of the server: 5,000.</summary>
    public int? MaximumNumberOfTokensParsed { get; set; }

    /// <summary>Shorter words are left out.</summary>
    public int? MinimumWordLength { get; set; }

    /// <summary>Longer words are left out.</summary>
    public int? MaximumWordLength { get; set; }

    /// <summary>Terms of fewer documents are left out. Default of the server: 5.</summary>
    public int? MinimumDocumentFrequency { get; set; }

    /// <summary>Terms of more documents are left out.</summary>
    public int? MaximumDocumentFrequency { get; set; }

    /// <summary>Terms of a larger share of all documents are left out; percent.</summary>
    public int? MaximumDocumentFrequencyPercentage { get; set; }

    /// <summary>Better terms count more.</summary>
    public bool? Boost { get; set; }

    /// <summary>How much more they count.</summary>
    public float? BoostFactor { get; set; }

    /// <summary>Id of a document with words that are left out.</summary>
    public string? StopWordsDocumentId { get; set; }

    internal JsonElement ToJson()
    {
        var json = new JsonObject();
        if (Fields is not null)
        {
            json[nameof(Fields)] = new JsonArray([.. Fields.Select(field => (JsonNode)field)]);
        }

        Add(nameof(MinimumTermFrequency), MinimumTermFrequency);
        Add(nameof(MaximumQueryTerms), MaximumQueryTerms);
        Add(nameof(MaximumNumberOfTokensParsed), MaximumNumberOfTokensParsed);
        Add(nameof(MinimumWordLength), MinimumWordLength);
        Add(nameof(MaximumWordLength), MaximumWordLength);
        Add(nameof(MinimumDocumentFrequency), MinimumDocumentFrequency);
        Add(nameof(MaximumDocumentFrequency), MaximumDocumentFrequency);
        Add(nameof(MaximumDocumentFrequencyPercentage), MaximumDocumentFrequencyPercentage);
        Add(nameof(Boost), Boost);
        Add(nameof(BoostFactor), BoostFactor);
        Add(nameof(StopWordsDocumentId), StopWordsDocumentId);
        return JsonElement.Parse(json.ToJsonString());

        void Add(string name, JsonNode? value)
        {
            if (value is not null)
            {
                json[name] = value;
            }
        }
    }
}

/// <summary>Names the document that the results should be similar to.</summary>
public sealed class MoreLikeThisBuilder<T>
{
    private SimilarStep? _step;

    internal MoreLikeThisBuilder()
    {
    }

    internal SimilarStep? Step => _step;

    /// <summary>The document that a condition finds: <c>x => x.Id == "articles/1"</c>.</summary>
    public MoreLikeThisBuilder<T> UsingDocument(Expression<Func<T, bool>> predicate) => With(new SimilarStep(predicate, null, null));

    /// <summary>A document that is not stored, as JSON.</summary>
    public MoreLikeThisBuilder<T> UsingDocument(string json) => With(new SimilarStep(null, json, null));

    /// <summary>Which terms count.</summary>
    /// <exception cref="InvalidOperationException">No document was named before.</exception>
    public MoreLikeThisBuilder<T> WithOptions(MoreLikeThisOptions options) => With(
        (_step ?? throw new InvalidOperationException("Call UsingDocument first.")) with { Options = options.ToJson() });

    private MoreLikeThisBuilder<T> With(SimilarStep step)
    {
        _step = step;
        return this;
    }
}
