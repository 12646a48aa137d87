using System.Buffers.Binary;
using System.Text;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Segments.Verification;

/// <summary>Checks everything that the engine has written into a storage.</summary>
internal static unsafe class IndexVerifier
{
    /// <returns>The problems, as texts for people; empty when there are none, and for a storage without an index.</returns>
    public static IReadOnlyList<string> Verify(StorageEnvironment storage)
    {
        using ReadTransaction read = storage.BeginRead();
        if (!SegmentList.Exists(read.Trees))
        {
            return [];
        }

        try
        {
            var state = SegmentState.Read(storage, read.Trees, null, null);
            List<string> problems = [.. FindLost(read.Trees, state)];
            using var arena = new Arena();
            using var scratch = new Arena();
            var segment = new SegmentView();
            for (int i = 0; i < state.Segments.Count; i++)
            {
                arena.Reset();
                scratch.Reset();
                try
                {
                    segment.Open(read, state, i, arena, scratch, null, null);
                    problems.AddRange(new SegmentVerifier(segment, state.Fields).Run());
                    problems.AddRange(ContentsVerifier.Verify(read, segment, state.Records[i]));
                }
                catch (CorruptionException damage)
                {
                    problems.Add(damage.Message);
                }
            }

            return problems;
        }
        catch (CorruptionException damage)
        {
            return [damage.Message];
        }
    }

    // Chunks, bitmaps and directories that belong to no segment.
    private static List<string> FindLost(TreeCatalog trees, SegmentState state)
    {
        HashSet<long> known = [.. state.Records.Select(record => record.Id), .. SegmentTrees.ReadToFree(trees)];
        List<string> problems = [];
        foreach (byte[] name in new[] { SegmentTrees.Segments.ToArray(), SegmentTrees.Parts.ToArray(), SegmentTrees.Deleted.ToArray() })
        {
            if (trees.FindTree(name) is not { } tree)
            {
                continue;
            }

            using BTreeCursor cursor = tree.OpenCursor();
            long last = -1;
            for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
            {
                long id = cursor.Key.Length < sizeof(long) ? 0 : BinaryPrimitives.ReadInt64BigEndian(cursor.Key);
                if (id != last && !known.Contains(id))
                {
                    problems.Add($"The index has something in '{Encoding.UTF8.GetString(name)}' of a segment {id}, which it does not have.");
                }

                last = id;
            }
        }

        return problems;
    }
}
