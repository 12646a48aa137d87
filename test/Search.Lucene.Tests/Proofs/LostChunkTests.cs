using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Tests;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Lucene.Tests.Proofs;

/// <summary>Files and chunks without one another are found, although no page is damaged.</summary>
public sealed class LostChunkTests
{
    private static readonly IndexField s_text = new("Text") { Indexing = IndexingMode.Text, IsStored = true };
    private static readonly IndexFields s_fields = new([s_text]);
    private static readonly StorageOptions s_options = new() { BackgroundFlush = false };

    [Theory]
    [InlineData("files to free", "belongs to no file")]
    [InlineData("chunks", "has no chunk 0")]
    [InlineData("files", "belongs to no file")]
    public void Verify_EntryLostInATree_FindsWhatIsMissing(string tree, string reason)
    {
        var platform = new MemoryPlatform();
        using StorageEnvironment root = StorageEnvironment.Open(platform, "/db", s_options);
        using StorageEnvironment branch = StorageEnvironment.OpenBranch(root, "/db/Indexes/a", s_options);
        using (LuceneSearchIndex index = LuceneSearchIndex.Open(branch, s_fields))
        {
            WriteBatch(index);
            using Searcher searcher = index.BeginSearch();
            using SearchSnapshot reading = searcher.Keep();
            searcher.Dispose();
            WriteBatch(index); // so that files are to be freed
            Assert.Empty(LuceneEngine.Instance.Verify(branch));
        }

        using (WriteTransaction write = branch.BeginWrite())
        {
            BTree entries = write.Trees.FindTree(System.Text.Encoding.UTF8.GetBytes(tree))!;
            using (BTreeCursor cursor = entries.OpenCursor())
            {
                while (cursor.SeekFirst())
                {
                    entries.Delete(cursor.Key.ToArray());
                }
            }

            write.Commit();
        }

        Assert.Contains(LuceneEngine.Instance.Verify(branch), problem => problem.Contains(reason, StringComparison.Ordinal));
    }

    private static void WriteBatch(LuceneSearchIndex index)
    {
        var entry = new IndexEntry();
        using IndexBatch batch = index.BeginBatch();
        for (int i = 0; i < 150; i++)
        {
            batch.Delete($"e/{i}");
            entry.Reset($"e/{i}");
            entry.AddText(s_text, $"word{i} and some text that is the same in all");
            batch.Add(entry);
        }

        batch.Commit();
    }
}
