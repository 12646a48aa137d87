using System.Text.Json;
using System.Text.Json.Nodes;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Linq;

/// <summary>How found words are marked.</summary>
public sealed class HighlightingOptions
{
    /// <summary>Field whose value names a row that is not a document; null if rows are documents.</summary>
    public string? GroupKey { get; set; }

    /// <summary>Texts before a found word: the first one for the first word of the search, and so on. Null for HTML of the server.</summary>
    public string[]? PreTags { get; set; }

    /// <summary>Texts after a found word.</summary>
    public string[]? PostTags { get; set; }

    internal JsonElement ToJson()
    {
        var json = new JsonObject();
        if (GroupKey is not null)
        {
            json[nameof(GroupKey)] = GroupKey;
        }

        if (PreTags is not null)
        {
            json[nameof(PreTags)] = new JsonArray([.. PreTags.Select(tag => (JsonNode)tag)]);
        }

        if (PostTags is not null)
        {
            json[nameof(PostTags)] = new JsonArray([.. PostTags.Select(tag => (JsonNode)tag)]);
        }

        return JsonElement.Parse(json.ToJsonString());
    }
}

/// <summary>Pieces of texts with the words that a search found. Filled when the query has run.</summary>
public sealed class Highlightings
{
    private readonly Dictionary<string, string[]> _fragments = new(StringComparer.OrdinalIgnoreCase);

    internal Highlightings(string field) => FieldName = field;

    /// <summary>The field.</summary>
    public string FieldName { get; }

    /// <summary>Ids of the documents that have pieces, or their group keys.</summary>
    public IEnumerable<string> ResultIndents => _fragments.Keys;

    /// <summary>Pieces of a document; empty when there are none.</summary>
    /// <param name="key">Its id, or its group key.</param>
    public string[] GetFragments(string key) => _fragments.TryGetValue(key, out string[]? fragments) ? fragments : [];

    internal void Read(JsonElement json)
    {
        _fragments.Clear();
        foreach ((string _, JsonElement documents) in json.Members().Where(field => IsOfField(field.Key)))
        {
            foreach ((string id, JsonElement fragments) in documents.Members())
            {
                _fragments[id] = fragments.Texts();
            }
        }
    }

    // In an index, the name of a path has underscores.
    private bool IsOfField(string name) => name == FieldName || name == FieldName.Replace('.', '_');
}

/// <summary>Why results have their scores. Filled when the query has run.</summary>
public sealed class QueryExplanations
{
    private readonly Dictionary<string, string[]> _texts = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Explanations of a result; empty when there are none.</summary>
    /// <param name="key">Id of the document, or key of the group.</param>
    public string[] GetExplanations(string key) => _texts.TryGetValue(key, out string[]? texts) ? texts : [];

    internal void Read(JsonElement json)
    {
        _texts.Clear();
        foreach ((string key, JsonElement texts) in json.Members())
        {
            _texts[key] = texts.Texts();
        }
    }
}
