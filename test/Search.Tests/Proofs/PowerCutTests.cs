using System.Globalization;
using System.Text;
using Jackdaw.Pal.Simulation;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Search.Tests.Proofs;

/// <summary>An index whose machine loses power at any barrier holds what one of its batches left, and its state says which.</summary>
public abstract class PowerCutTests(SearchEngine engine)
{
    private const int Seed = 17;
    private const int Batches = 12;

    private static readonly IndexField s_text = new("Text") { Indexing = IndexingMode.Text, IsStored = true };
    private static readonly IndexFields s_fields = new([s_text]);
    private static readonly StorageOptions s_options = new() { BackgroundFlush = false };

    private static ReadOnlySpan<byte> StateTree => "state"u8;

    [Fact]
    public void Index_PowerCutAtEachBarrier_IsThatOfABatch() => CutAtEachBarrier(engine.Open, 60, index => index.Maintain(() => false));

    /// <summary>Cuts the power at each barrier, and opens what is left.</summary>
    /// <param name="open">Opens the index whose machine loses power.</param>
    /// <param name="entries">Of the index.</param>
    /// <param name="maintain">Called after each batch.</param>
    protected void CutAtEachBarrier(Func<StorageEnvironment, IndexFields, SearchIndex> open, int entries, Action<SearchIndex> maintain)
    {
        var platform = new SimulatedPlatform(Seed);
        List<(SimulatedPlatform Cut, int Acknowledged)> cuts = [];
        int acknowledged = 0;
        using (StorageEnvironment root = StorageEnvironment.Open(platform, "/db", s_options))
        using (StorageEnvironment branch = StorageEnvironment.OpenBranch(root, "/db/Indexes/a", s_options))
        using (SearchIndex index = open(branch, s_fields))
        {
            int seed = Seed;
            void Take(in PalOperation operation)
            {
                if (operation.IsBarrier)
                {
                    cuts.Add((platform.Crash(seed++), Volatile.Read(ref acknowledged)));
                }
            }

            platform.BeforeOperation = operation => Take(operation);
            platform.AfterOperation = operation => Take(operation);
            for (int batch = 1; batch <= Batches; batch++)
            {
                Write(index, batch, entries);
                Volatile.Write(ref acknowledged, batch);
                maintain(index);
                if (batch % 4 == 0)
                {
                    branch.Flush();
                    root.Flush();
                }
            }

            platform.BeforeOperation = null;
            platform.AfterOperation = null;
        }

        Assert.True(cuts.Count > 2 * Batches, $"{cuts.Count} cuts");
        for (int i = 0; i < cuts.Count; i++)
        {
            Check(cuts[i].Cut, cuts[i].Acknowledged, $"seed {Seed}, cut {i}", entries);
        }
    }

    /// <summary>Whether nothing lies in the storage that was cut off.</summary>
    protected virtual void CheckNothingIsLeft(StorageEnvironment branch)
    {
    }

    // Batch b replaces the entries whose numbers it divides, so that each batch leaves other entries than all others.
    private static void Write(SearchIndex index, int batch, int entries)
    {
        var entry = new IndexEntry();
        using IndexBatch open = index.BeginBatch();
        foreach (int number in Enumerable.Range(0, entries).Where(number => number % batch == 0))
        {
            open.Delete("e/" + number);
            entry.Reset("e/" + number);
            entry.AddText(s_text, "batch" + batch);
            open.Add(entry);
        }

        open.Transaction.Trees.CreateTree(StateTree).Put("batch"u8, Encoding.ASCII.GetBytes(batch.ToString(CultureInfo.InvariantCulture)));
        open.Commit();
    }

    private void Check(SimulatedPlatform cut, int acknowledged, string place, int entries)
    {
        if (acknowledged == 0 && !cut.Exists("/db/Indexes/a"))
        {
            return; // cut off while it was made
        }

        using StorageEnvironment root = StorageEnvironment.Open(cut, "/db", s_options);
        using StorageEnvironment branch = StorageEnvironment.OpenBranch(root, "/db/Indexes/a", s_options);
        using SearchIndex index = engine.Open(branch, s_fields);
        int state = ReadState(index, place);
        Assert.True(state >= acknowledged, $"{place}: batch {acknowledged} was acknowledged, {state} is there");
        Compare(index, state, place, entries);
        Write(index, state + 1, entries);
        Compare(index, state + 1, place, entries, state);
        while (index.Maintain(() => false))
        {
        }

        Assert.Empty(EnvironmentVerifier.Verify(branch));
        Assert.Empty(engine.Verify(branch));
        CheckNothingIsLeft(branch);
    }

    private static int ReadState(SearchIndex index, string place)
    {
        using Searcher searcher = index.BeginSearch();
        if (searcher.Transaction.Trees.FindTree(StateTree) is not { } tree)
        {
            Assert.True(searcher.EntryCount == 0, place);
            return 0;
        }

        Assert.True(tree.TryGet("batch"u8, out ReadOnlySpan<byte> value), place);
        return int.Parse(Encoding.ASCII.GetString(value), CultureInfo.InvariantCulture);
    }

    private static void Compare(SearchIndex index, int last, string place, int entries, int? before = null)
    {
        int[] batches = before is null ? [.. Enumerable.Range(1, last)] : [.. Enumerable.Range(1, before.Value), last];
        using Searcher searcher = index.BeginSearch();
        foreach (int batch in batches)
        {
            IEnumerable<string> expected = Enumerable.Range(0, entries)
                .Where(number => batches.LastOrDefault(b => number % b == 0) == batch)
                .Select(number => "e/" + number);
            IEnumerable<string> found = searcher.Search(
                new SearchRequest(new FullTextNode("Text", "batch" + batch, WordOperator.Or), [], 0, int.MaxValue), default).Hits.Select(hit => hit.IdText());
            Assert.True(expected.SequenceEqual(found), $"{place}: of batch {batch} {string.Join(' ', found)}");
        }
    }
}
