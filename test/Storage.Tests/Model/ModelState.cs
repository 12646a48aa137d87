using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Runtime.InteropServices;

namespace Jackdaw.Storage.Tests.Model;

/// <summary>A value that can be made anew from its seed, so that snapshots with values of megabytes cost
/// nothing.</summary>
internal readonly record struct ModelValue(int Seed, int Length)
{
    private const ulong Step = 0x9E3779B97F4A7C15;

    [ThreadStatic]
    private static byte[]? s_buffer;

    /// <summary>The bytes, in a buffer of the thread that the next call uses again.</summary>
    public ReadOnlySpan<byte> Bytes()
    {
        int words = (Length + 7) / 8;
        if (s_buffer is null || s_buffer.Length < words * 8)
        {
            s_buffer = new byte[Math.Max(words * 16, 1 << 16)];
        }

        Span<ulong> space = MemoryMarshal.Cast<byte, ulong>(s_buffer.AsSpan(0, words * 8));
        ulong word = (ulong)Seed * Step;
        for (int i = 0; i < space.Length; i++)
        {
            space[i] = word;
            word += Step;
        }

        return s_buffer.AsSpan(0, Length);
    }
}

/// <summary>A row of the model's table.</summary>
internal sealed record ModelRow(long Etag, int Collection, ModelValue Body);

/// <summary>All that one transaction left behind: maps in the order of the keys. Immutable.</summary>
internal sealed record ModelState(
    ImmutableArray<ImmutableSortedDictionary<int, ModelValue>> Trees,
    ImmutableSortedDictionary<int, ModelRow> Rows,
    ImmutableSortedDictionary<long, int> KeysByEtag,
    long LastEtag)
{
    /// <summary>Trees of the storage under test.</summary>
    public const int TreeCount = 4;

    public static ModelState Empty { get; } = new(
        [.. Enumerable.Repeat(ImmutableSortedDictionary<int, ModelValue>.Empty, TreeCount)],
        ImmutableSortedDictionary<int, ModelRow>.Empty,
        ImmutableSortedDictionary<long, int>.Empty,
        0);

    public static string TreeName(int tree) => "tree" + tree;

    /// <summary>Key bytes of a number, in the same order: short ones, long common prefixes, and some near the longest
    /// key.</summary>
    public static byte[] KeyBytes(int tree, int key)
    {
        int prefix = tree == 1 ? 60 : 0;
        int filler = tree switch
        {
            0 => key * 7 % 50,
            1 => key * 37 % 300,
            2 => key % 10 == 0 ? 1900 : 3,
            _ => 0,
        };
        byte[] bytes = new byte[prefix + sizeof(int) + filler];
        bytes.AsSpan(0, prefix).Fill((byte)'p');
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(prefix), key);
        bytes.AsSpan(prefix + sizeof(int)).Fill((byte)(key * 31));
        return bytes;
    }

    /// <summary>True when nothing was changed since the other one.</summary>
    public bool IsSameAs(ModelState other) => ReferenceEquals(Rows, other.Rows) && Trees.SequenceEqual(other.Trees);

    public ModelState Put(int tree, int key, ModelValue value) =>
        this with { Trees = Trees.SetItem(tree, Trees[tree].SetItem(key, value)) };

    public ModelState Delete(int tree, int key) => this with { Trees = Trees.SetItem(tree, Trees[tree].Remove(key)) };

    public ModelState Drop(int tree) =>
        this with { Trees = Trees.SetItem(tree, ImmutableSortedDictionary<int, ModelValue>.Empty) };

    public ModelState PutRow(int key, ModelRow row) => DeleteRow(key) with
    {
        Rows = Rows.SetItem(key, row),
        KeysByEtag = DeleteRow(key).KeysByEtag.Add(row.Etag, key),
        LastEtag = row.Etag,
    };

    public ModelState DeleteRow(int key) => Rows.TryGetValue(key, out ModelRow? old)
        ? this with { Rows = Rows.Remove(key), KeysByEtag = KeysByEtag.Remove(old.Etag) }
        : this;
}
