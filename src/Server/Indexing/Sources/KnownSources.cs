using Jackdaw.Server.Indexing.Definitions.Model;

namespace Jackdaw.Server.Indexing.Sources;

/// <summary>The kinds of sources that this program has. A new one is one line here.</summary>
internal static class KnownSources
{
    private static readonly ItemSource[] s_items = [new CounterSource()];

    private static readonly string[] s_kinds = [CollectionSource.Kind, ValueSource.Instance.Key, .. s_items.Select(source => source.Key)];

    /// <summary>What definitions of a type map; null for documents.</summary>
    /// <exception cref="IndexDefinitionException">This program does not have it.</exception>
    public static ItemSource? ItemsOf(IndexSourceType type) => type == IndexSourceType.Documents
        ? null
        : Array.Find(s_items, source => source.Type == type)
            ?? throw new IndexDefinitionException($"This version of jackdaw has no {type} that an index could map; map documents, or counters.");

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

    /// <summary>Whether there is a kind of source whose keys look so.</summary>
    public static bool IsKnown(string key) => s_kinds.Contains(KindOf(key), StringComparer.Ordinal);

    /// <summary>The part of a key that says what kind of source it is of.</summary>
    public static string KindOf(string key) => key.Split(':', 2)[0];
}
