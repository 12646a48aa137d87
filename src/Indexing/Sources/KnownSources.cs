using Jackdaw.Indexing.Definitions.Model;

namespace Jackdaw.Indexing.Sources;

/// <summary>The kinds of sources that definitions can name. A new kind of items is one line in <see cref="Default"/>.</summary>
/// <param name="items">What definitions can map instead of documents.</param>
internal sealed class KnownSources(params IEnumerable<ItemSource> items)
{
    private readonly ItemSource[] _items = [.. items];

    /// <summary>The sources of this program.</summary>
    public static KnownSources Default { get; } = new(new CounterSource());

    /// <summary>What definitions of a type map; null for documents.</summary>
    /// <param name="index">Name of the index, for messages.</param>
    /// <exception cref="IndexDefinitionException">There is no such source.</exception>
    public ItemSource? ItemsOf(IndexSourceType type, string index) => type == IndexSourceType.Documents
        ? null
        : Array.Find(_items, source => source.Type == type)
            ?? throw new IndexDefinitionException($"Index '{index}' maps {type}, which this version of jackdaw does not have; map documents.");

    /// <summary>What definitions load from.</summary>
    /// <param name="collections">Names in any casing.</param>
    /// <param name="hasOthers">Documents of any collection.</param>
    /// <param name="hasValues">Compare exchange values.</param>
    public static IEnumerable<IndexSource> Loaded(IReadOnlyCollection<string> collections, bool hasOthers, bool hasValues)
    {
        IndexSource[] values = hasValues ? [ValueSource.Instance] : [];
        return hasOthers ? [.. values, CollectionSource.All]
            : collections.Count > 0 ? [.. values, .. CollectionSource.Of(collections)]
            : values;
    }

    /// <summary>Whether a key belongs to a known kind of source.</summary>
    public bool Have(string key)
    {
        string kind = KindOf(key);
        return kind == CollectionSource.Kind || kind == ValueSource.Instance.Key || Array.Exists(_items, source => source.Key == kind);
    }

    /// <summary>The part of a key that names the kind of the source.</summary>
    public static string KindOf(string key) => key.Split(':', 2)[0];
}
