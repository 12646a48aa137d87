using System.Runtime.CompilerServices;
using Jackdaw.Search;
using Jackdaw.Search.Queries;

namespace Jackdaw.Bench.Search;

/// <summary>What stays in managed memory while an index is open and searched, with few words and with ten times as many.</summary>
internal static class TermsBench
{
    public static void Run(string folder, int count)
    {
        foreach (int words in new[] { 20_000, 200_000 })
        {
            using var stored = new StoredIndex(folder);
            Fill(stored, words, count);
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: true);
            GC.WaitForPendingFinalizers();
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: true);
            Figures.Print($"terms-{words}", "heap", GC.GetTotalMemory(forceFullCollection: true) / 1e6, "MB");
        }
    }

    // A method of its own, so that no frame keeps the words alive.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Fill(StoredIndex stored, int words, int count)
    {
        stored.Write(new Orders(words), Enumerable.Range(0, count), version: 0);
        stored.Rest();
        using Searcher searcher = stored.Index.BeginSearch();
        searcher.Search(new SearchRequest(new PrefixNode("Note", "ba"), [new SortKey(SortBy.Long, "Int")], 0, 10), default);
        Figures.Print($"terms-{words}", "terms", searcher.ListTerms("Note", null, int.MaxValue).Count, "");
    }
}
