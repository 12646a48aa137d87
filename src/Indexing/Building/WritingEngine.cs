using System.Text;
using Jackdaw.Search;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Indexing.Building;

/// <summary>The search engine that writes an index. Its name is in the index's own storage too, in the tree <c>index state</c> under
/// <c>engine</c>, because <c>verify</c> opens the folder alone and has no record.</summary>
internal static class WritingEngine
{
    private static ReadOnlySpan<byte> Key => "engine"u8;

    /// <summary>The name in a storage; null if nothing was written to it yet.</summary>
    public static string? ReadName(TreeCatalog trees)
    {
        if (trees.FindTree(IndexBuilder.StateTree) is not { } state)
        {
            return null;
        }

        return state.TryGet(Key, out ReadOnlySpan<byte> name) ? Encoding.UTF8.GetString(name)
            : state.TryGet(IndexBuilder.ProgressKey, out _) ? SearchEngines.Unnamed
            : null;
    }

    public static void WriteName(BTree state, string name)
    {
        if (!state.TryGet(Key, out _))
        {
            state.Put(Key, Encoding.UTF8.GetBytes(name));
        }
    }

    /// <summary>Why an index cannot be opened without its engine, and what to do.</summary>
    /// <param name="index">Its name, or its folder.</param>
    public static string DescribeMissing(string index, string engine, SearchEngines engines) =>
        $"Index '{index}' was written by the search engine '{engine}', which this program does not have (it has {string.Join(", ", engines.Names)}). "
        + "Use a program that has it, or reset the index: then it is built again with an engine that this program has.";
}
