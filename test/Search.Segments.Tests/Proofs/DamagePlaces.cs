using System.Runtime.InteropServices;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Segments.Tests.Proofs;

/// <summary>Bytes of an index that can be damaged.</summary>
/// <param name="Kind">What they are, such as a kind of part.</param>
/// <param name="Page">The page or run that has them; none when they are in the value of a key.</param>
/// <param name="Tree">The tree of the key.</param>
/// <param name="Offset">Where they begin in the body of the page or in the value.</param>
internal sealed record DamagePlace(string Kind, PageNumber Page, byte[] Tree, byte[] Key, int Offset, int Bytes);

/// <summary>Finds everything that can be damaged, and damages it in such a way that pages have the right checksums.</summary>
internal static unsafe class DamagePlaces
{
    /// <summary>The kind of what the header of a run says of it: its length and its type.</summary>
    public const string RunHeader = "run header";

    private const int HeaderOffset = 24;
    private const int HeaderBytes = sizeof(int) + sizeof(PageType);

    /// <summary>All places, by their kinds.</summary>
    public static Dictionary<string, DamagePlace[]> Find(StorageEnvironment storage)
    {
        using ReadTransaction read = storage.BeginRead();
        List<DamagePlace> places = [];
        AddAll(read, SegmentTrees.List, "list of segments", places);
        AddAll(read, SegmentTrees.Fields, "field table", places);
        AddAll(read, SegmentTrees.Deleted, "deleted entries", places);
        AddAll(read, SegmentTrees.Segments, "directory", places);
        foreach (DamagePlace directory in places.Where(place => place.Kind == "directory").ToArray())
        {
            byte[] bytes = Read(read, directory);
            var head = MemoryMarshal.Read<SegmentDirectory>(bytes);
            ReadOnlySpan<PartRecord> records = MemoryMarshal.Cast<byte, PartRecord>(bytes.AsSpan(SegmentDirectory.SizeOf, head.Parts * PartRecord.SizeOf));
            places.Remove(directory);
            places.Add(directory with { Bytes = SegmentDirectory.SizeOf + (head.Parts * PartRecord.SizeOf) });
            foreach (PartRecord record in records)
            {
                AddPart(directory, bytes, record, places);
            }
        }

        foreach (DamagePlace place in places.Where(place => !place.Page.IsNone).DistinctBy(place => place.Page).ToArray())
        {
            places.Add(place with { Kind = RunHeader, Offset = 0, Bytes = HeaderBytes });
        }

        return places.GroupBy(place => place.Kind).ToDictionary(group => group.Key, group => group.ToArray());
    }

    /// <summary>The bytes of a place, with everything around them that lies in the same value.</summary>
    public static byte[] Read(ReadTransaction read, DamagePlace place)
    {
        if (!place.Page.IsNone)
        {
            Page page = read.GetPage(place.Page);
            if (place.Kind == RunHeader)
            {
                // With the value, of which a shorter length leaves less.
                return
                [
                    .. new ReadOnlySpan<byte>(page.Address + HeaderOffset, HeaderBytes), .. new ReadOnlySpan<byte>(page.Body, page.Header.OverflowBytes),
                ];
            }

            return new ReadOnlySpan<byte>(page.Body, page.Header.OverflowBytes).ToArray();
        }

        Assert.True(read.Trees.FindTree(place.Tree)!.TryGet(place.Key, out ReadOnlySpan<byte> value));
        return value.ToArray();
    }

    /// <summary>Writes other bytes of the same length.</summary>
    public static void Write(WriteTransaction write, DamagePlace place, ReadOnlySpan<byte> bytes)
    {
        if (place.Page.IsNone)
        {
            write.Trees.CreateTree(place.Tree).Put(place.Key, bytes);
        }
        else
        {
            Page page = write.ModifyPage(place.Page);
            if (place.Kind == RunHeader)
            {
                bytes[..HeaderBytes].CopyTo(new Span<byte>(page.Address + HeaderOffset, HeaderBytes));
                bytes = bytes[HeaderBytes..];
            }

            bytes.CopyTo(new Span<byte>(page.Body, bytes.Length));
            if (page.Header.OverflowBytes < bytes.Length)
            {
                new Span<byte>(page.Body + page.Header.OverflowBytes, bytes.Length - page.Header.OverflowBytes).Clear();
            }
        }
    }

    private static void AddAll(ReadTransaction read, ReadOnlySpan<byte> tree, string kind, List<DamagePlace> places)
    {
        BTree found = read.Trees.FindTree(tree)!;
        using BTreeCursor cursor = found.OpenCursor();
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
        {
            byte[] key = cursor.Key.ToArray();
            found.TryGetRun(key, out PageNumber page, out _);
            places.Add(new DamagePlace(kind, page, tree.ToArray(), key, 0, cursor.Value.Length));
        }
    }

    private static void AddPart(DamagePlace directory, byte[] bytes, in PartRecord record, List<DamagePlace> places)
    {
        string kind = NameOf(record.Kind);
        if (record.Form == PartForm.Inline)
        {
            places.Add(directory with { Kind = kind, Offset = (int)record.Place, Bytes = (int)record.Bytes });
        }
        else if (record.Form == PartForm.Run)
        {
            places.Add(directory with { Kind = kind, Page = new PageNumber(record.Place), Offset = 0, Bytes = (int)record.Bytes });
        }
        else
        {
            int count = (int)MemoryMarshal.Read<long>(bytes.AsSpan((int)record.Place));
            int listBytes = sizeof(long) + (count * sizeof(PartRun));
            places.Add(directory with { Kind = "list of runs", Offset = (int)record.Place, Bytes = listBytes });
            ReadOnlySpan<PartRun> runs = MemoryMarshal.Cast<byte, PartRun>(bytes.AsSpan((int)record.Place + sizeof(long), count * sizeof(PartRun)));
            for (int i = 0; i < count; i++)
            {
                long end = i + 1 < count ? runs[i + 1].Start : record.Bytes;
                places.Add(directory with { Kind = kind, Page = new PageNumber(runs[i].Page), Offset = 0, Bytes = (int)(end - runs[i].Start) });
            }
        }
    }

    // Parts of blobs and numbers have names of their own.
    private static string NameOf(PartKind kind) => (int)kind < (int)PartKind.Stored ? kind.ToString()
        : (int)kind < (int)PartKind.Longs ? $"{(PartKind)((int)kind & ~3)}.{(BlobPart)((int)kind & 3)}"
        : $"{(PartKind)((int)kind & ~7)}.{(NumberPart)((int)kind & 7)}";
}
