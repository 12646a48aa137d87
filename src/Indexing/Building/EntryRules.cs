using System.Buffers.Binary;
using Jackdaw.Search.Analysis;
using Jackdaw.Search.Entries;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Indexing.Building;

/// <summary>The version of the rules by which entries are made of documents. An index whose entries follow older rules would answer otherwise than its
/// definition says today, so it is built again.</summary>
/// <remarks>
/// Version 2: an entry whose only values are null is there; a word that an analyzer removes leaves no gap; entries of items store their rows; the strategy
/// BoundingBox keeps boxes. An index without a version was written by version 1.
/// <para>Version 3: an object is one term however it is spelled; `?.`, characters, days of the week and first elements of objects in definitions are what
/// they are in C#; the code of analyzers is noted.</para>
/// <para>The code of the users' analyzers is a rule too. It can change while the index is not open: that of the server while the database is disabled.</para>
/// </remarks>
internal static class EntryRules
{
    private const int Current = 3;
    private const int RowsOfItems = 2;
    private const int First = 1;

    private static ReadOnlySpan<byte> Key => "rules"u8;

    private static ReadOnlySpan<byte> AnalyzersKey => "analyzers"u8;

    /// <summary>Notes that all entries follow the current rules; called with the first batch of an index.</summary>
    public static void WriteVersion(BTree state, IndexFields fields)
    {
        if (!state.TryGet(Key, out _))
        {
            BinaryPrimitives.WriteInt32LittleEndian(state.Reserve(Key, sizeof(int)), Current);
            BinaryPrimitives.WriteInt64LittleEndian(state.Reserve(AnalyzersKey, sizeof(long)), HashOfAnalyzers(fields));
        }
    }

    /// <summary>Whether analyzers of users have another code now than when the entries of an index were made.</summary>
    /// <param name="state">The state of the index; null before its first batch.</param>
    public static bool HaveOtherAnalyzers(BTree? state, IndexFields fields) =>
        state is not null && state.TryGet(AnalyzersKey, out ReadOnlySpan<byte> stored)
        && BinaryPrimitives.ReadInt64LittleEndian(stored) != HashOfAnalyzers(fields);

    /// <summary>Whether some entries of an index may not follow the current rules.</summary>
    /// <param name="state">The state of the index; null before its first batch.</param>
    public static bool AreOutdated(BTree? state) => VersionOf(state) < Current;

    /// <summary>Whether the entries of items of documents store their rows.</summary>
    /// <param name="state">The state of the index; null before its first batch.</param>
    public static bool HaveRowsOfItems(BTree? state) => VersionOf(state) >= RowsOfItems;

    private static int VersionOf(BTree? state) => state is null || !state.TryGet(IndexBuilder.ProgressKey, out _) ? Current
        : state.TryGet(Key, out ReadOnlySpan<byte> stored) ? BinaryPrimitives.ReadInt32LittleEndian(stored) : First;

    // Of the definition alone, which has all of them when the index begins. The order of the fields makes no difference.
    private static long HashOfAnalyzers(IndexFields fields) =>
        fields.Defined.Select(field => field.CustomAnalyzer).OfType<TextAnalyzer>().Select(analyzer => analyzer.CodeHash).Distinct()
            .Aggregate(0L, (sum, hash) => unchecked(sum + hash));
}
