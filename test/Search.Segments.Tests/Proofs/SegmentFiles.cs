using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Jackdaw.Pal.Native;
using Jackdaw.Search.Segments.Collecting;
using Jackdaw.Search.Segments.Merging;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;
using Jackdaw.Search.Tests;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Segments.Tests.Proofs;

/// <summary>An index in a folder, and all that it has and answers as a text.</summary>
internal static class SegmentFiles
{
    private const int Entries = 3000;

    /// <summary>Writes an index into a folder.</summary>
    /// <returns>What <see cref="Read"/> gives for it.</returns>
    public static string Write(string folder)
    {
        using (StorageEnvironment storage = Open(folder))
        {
            // In one slice, so that the files do not depend on the time that a merge takes.
            using var index = new SegmentSearchIndex(storage, RichEntries.Fields, new SliceSizes { SliceTimeMax = TimeSpan.MaxValue });
            for (int first = 0; first < Entries; first += Entries / 6)
            {
                RichEntries.Write(index, first, Entries / 6);
            }

            using (IndexBatch batch = index.BeginBatch())
            {
                for (int i = 0; i < Entries; i += 17)
                {
                    batch.Delete(RichEntries.IdOf(i));
                }

                batch.Commit();
            }

            using (WriteTransaction write = storage.BeginWrite())
            {
                Merge(write, index);
            }

            storage.Flush();
        }

        return Read(folder);
    }

    /// <summary>A line for each tree with a checksum of its contents, and one for each answer.</summary>
    public static string Read(string folder)
    {
        using StorageEnvironment storage = Open(folder);
        var text = new StringBuilder();
        using (ReadTransaction read = storage.BeginRead())
        {
            foreach (string tree in new[] { "segment list", "segment fields", "segments", "segment parts", "deleted entries" })
            {
                text.Append(CultureInfo.InvariantCulture, $"{tree}: {ChecksumOf(read.Trees.FindTree(tree)!)}\n");
            }
        }

        using SearchIndex index = SegmentEngine.Instance.Open(storage, RichEntries.Fields);
        using Searcher searcher = index.BeginSearch();
        foreach ((string name, Func<Searcher, string> ask) in RichQuestions.All)
        {
            text.Append(CultureInfo.InvariantCulture, $"{name}: {ask(searcher)}\n");
        }

        return text.Append(string.Join('\n', SegmentEngine.Instance.Verify(storage))).ToString();
    }

    private static StorageEnvironment Open(string folder) =>
        StorageEnvironment.Open(new NativePlatform(), folder, new StorageOptions { BackgroundFlush = false });

    // Writes all segments as one beside them, which stays as it is when the transaction ends.
    private static void Merge(WriteTransaction write, SegmentSearchIndex index)
    {
        using var writer = new SegmentWriter(new RunSizes());
        using var tools = new SegmentTools();
        using var merge = new SegmentMerge(write, index.State, 0, index.State.Segments.Count, 1000, isDirect: false, writer, tools);
        while (merge.Step())
        {
        }

        merge.Finish();
        List<SegmentRecord> records = SegmentList.Read(write.Trees, out long next);
        records.RemoveRange(0, merge.Sources.Count);
        records.Insert(0, merge.Record);
        foreach (long id in merge.Sources)
        {
            SegmentTrees.PutToFree(write.Trees, id);
        }

        SegmentList.Write(write.Trees, records, Math.Max(next, 1001));
        write.Commit();
    }

    private static string ChecksumOf(BTree tree)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        using BTreeCursor cursor = tree.OpenCursor();
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
        {
            hash.AppendData(cursor.Key);
            hash.AppendData(cursor.Value);
        }

        return Convert.ToHexString(hash.GetHashAndReset());
    }
}
