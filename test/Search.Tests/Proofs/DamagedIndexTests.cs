using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Search.Tests.Proofs;

/// <summary>A damaged page of an index gives the exception of a damaged storage, or is not needed; never another answer.</summary>
public abstract class DamagedIndexTests(SearchEngine engine)
{
    private const string Branch = "/db/Indexes/a";
    private const int PageBytes = 8192;

    private static readonly IndexField s_name = new("Name");
    private static readonly IndexField s_text = new("Text") { Indexing = IndexingMode.Text, IsStored = true };
    private static readonly IndexFields s_fields = new([s_name, s_text]);
    private static readonly StorageOptions s_options = new() { BackgroundFlush = false };

    [Fact]
    public void Search_EachPageDamaged_AnswersRightOrSaysThatItIsDamaged()
    {
        byte[][] expected;
        int refused = 0, right = 0;
        (MemoryPlatform whole, string file, long pages) = Make();
        expected = Answers(whole);
        for (long page = 0; page < pages; page++)
        {
            (MemoryPlatform platform, _, _) = Make();
            if (!Flip(platform, file, (page * PageBytes) + 100 + (page * 37 % 7000)))
            {
                continue;
            }

            try
            {
                byte[][] found = Answers(platform);
                Assert.True(expected.Zip(found).All(pair => pair.First.AsSpan().SequenceEqual(pair.Second)), $"page {page} gives other answers");
                right++;
            }
            catch (CorruptionException)
            {
                refused++;
            }
        }

        Assert.True(refused > 5, $"{refused} refused, {right} right");
    }

    [Fact]
    [Trait("Tier", "Full")]
    public void Verify_EachPageDamaged_FindsItUnlessNothingNeedsThePage()
    {
        (MemoryPlatform whole, string file, long pages) = Make();
        byte[][] expected = Answers(whole);
        Assert.Empty(Verify(whole));
        int found = 0;
        for (long page = 0; page < pages; page++)
        {
            (MemoryPlatform platform, _, _) = Make();
            if (!Flip(platform, file, (page * PageBytes) + 70 + (page * 41 % 7000)))
            {
                continue;
            }

            if (Verify(platform).Count > 0)
            {
                found++;
                continue;
            }

            byte[][] answers = Answers(platform);
            Assert.True(expected.Zip(answers).All(pair => pair.First.AsSpan().SequenceEqual(pair.Second)), $"page {page} is damaged unseen");
        }

        Assert.InRange(found, 6, int.MaxValue);
    }

    private List<string> Verify(MemoryPlatform platform)
    {
        try
        {
            using StorageEnvironment root = StorageEnvironment.Open(platform, "/db", s_options);
            using StorageEnvironment branch = StorageEnvironment.OpenBranch(root, Branch, s_options);
            return [.. EnvironmentVerifier.Verify(branch).Select(problem => problem.Reason), .. engine.Verify(branch)];
        }
        catch (CorruptionException damage)
        {
            return [damage.Message];
        }
    }

    private static void WriteBatch(SearchIndex index, int batchNumber)
    {
        var entry = new IndexEntry();
        using IndexBatch batch = index.BeginBatch();
        for (int i = 0; i < 150; i++)
        {
            batch.Delete($"e/{batchNumber}/{i}");
            entry.Reset($"e/{batchNumber}/{i}");
            entry.AddText(s_name, "n" + (i % 7));
            entry.AddText(s_text, $"word{i} and some text that is the same in {batchNumber}");
            batch.Add(entry);
        }

        batch.Commit();
    }

    private (MemoryPlatform Platform, string File, long Pages) Make()
    {
        var platform = new MemoryPlatform();
        using (StorageEnvironment root = StorageEnvironment.Open(platform, "/db", s_options))
        using (StorageEnvironment branch = StorageEnvironment.OpenBranch(root, Branch, s_options))
        {
            using (SearchIndex index = engine.Open(branch, s_fields))
            {
                for (int batchNumber = 0; batchNumber < 3; batchNumber++)
                {
                    WriteBatch(index, batchNumber);
                }
            }

            branch.Flush();
            branch.Sync();
            root.Flush();
            root.Sync();
        }

        const string file = Branch + "/data";
        using PalFile data = platform.OpenFile(file, FileOpening.Existing, FileUse.Data);
        return (platform, file, data.GetLength() / PageBytes);
    }

    // False where the page is empty: nothing is lost with it.
    private static unsafe bool Flip(MemoryPlatform platform, string path, long offset)
    {
        using PalFile file = platform.OpenFile(path, FileOpening.Existing, FileUse.Data);
        byte[] page = GC.AllocateArray<byte>(PageBytes, pinned: true);
        long start = offset / PageBytes * PageBytes;
        fixed (byte* bytes = page)
        {
            file.Read(start, bytes, PageBytes);
            if (!page.AsSpan().ContainsAnyExcept((byte)0))
            {
                return false;
            }

            bytes[offset - start] ^= 0x10;
            file.WritePages([new PalPageWrite { Base = bytes, Offset = start, Length = PageBytes }]);
        }

        return true;
    }

    private byte[][] Answers(MemoryPlatform platform)
    {
        using StorageEnvironment root = StorageEnvironment.Open(platform, "/db", s_options);
        using StorageEnvironment branch = StorageEnvironment.OpenBranch(root, Branch, s_options);
        using SearchIndex index = engine.Open(branch, s_fields);
        using Searcher searcher = index.BeginSearch();
        SearchNode[] nodes =
        [
            new AllNode(), new TermNode("Name", new TextValue("n3")), new PrefixNode("Text", "word1"),
            new FullTextNode("Text", "\"word7 and some\" text", WordOperator.And),
        ];
        List<byte[]> answers = [];
        foreach (SearchNode node in nodes)
        {
            SearchResults found = searcher.Search(new SearchRequest(node, [new SortKey(SortBy.Text, "Name")], 0, 500) { WithScores = true }, default);
            IEnumerable<string> hits = found.Hits.Select(hit => $"{hit.IdText()} {hit.Score} {string.Join(',', searcher.ReadTexts(hit.Ordinal))}");
            answers.Add(System.Text.Encoding.UTF8.GetBytes(string.Join('|', hits)));
        }

        return [.. answers];
    }
}
