using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Vectors.Recall;

/// <summary>How much of the ten nearest a walk finds, by its candidates, as measured on samples of a graph. Immutable.</summary>
/// <remarks>
/// Stored by field in the tree "vectors/recall", little-endian:
/// <code>
/// offset size field
///      0    2 version, 1
///      2    2 samples
///      4    4 nodes that lived when it was measured
///      8    8 changes of the graph until then
///     16   12 for each width: candidates u32, mean recall f32, standard error f32; ascending
/// </code>
/// </remarks>
internal sealed class RecallTable(int samples, uint live, long changes, IReadOnlyList<RecallAt> widths)
{
    /// <summary>The text for a graph whose recall was not measured yet.</summary>
    public const string Unknown = "recall is not measured yet";

    private const int Version = 1;
    private const int FixedSize = 16;
    private const int WidthSize = 12;

    /// <summary>The tree of the tables.</summary>
    public static ReadOnlySpan<byte> TreeName => "vectors/recall"u8;

    public int Samples => samples;

    public uint Live => live;

    public long Changes => changes;

    public IReadOnlyList<RecallAt> Widths => widths;

    /// <summary>The smallest width whose recall reaches a target, between two measured ones in proportion.</summary>
    public RecallAt Choose(double target)
    {
        for (int i = 0; i < widths.Count; i++)
        {
            if (widths[i].Mean >= target)
            {
                return i == 0 ? widths[0] : Between(widths[i - 1], widths[i], target);
            }
        }

        return widths[^1];
    }

    /// <summary>The recall at a width.</summary>
    public RecallAt At(int width)
    {
        int after = 0;
        while (after < widths.Count - 1 && widths[after].Width < width)
        {
            after++;
        }

        RecallAt high = widths[after];
        if (after == 0 || high.Width <= width)
        {
            return high;
        }

        RecallAt low = widths[after - 1];
        float share = (width - low.Width) / (float)(high.Width - low.Width);
        return new RecallAt(width, low.Mean + (share * (high.Mean - low.Mean)), Math.Max(low.Error, high.Error));
    }

    /// <summary>For people, such as "recall@10 0.957 +- 0.008 at ef 112, from 256 samples".</summary>
    public string Describe(in RecallAt at) => string.Create(
        CultureInfo.InvariantCulture, $"recall@10 {at.Mean:0.000} +- {at.Error:0.000} at ef {at.Width}, from {samples} samples");

    public static RecallTable? Read(TreeCatalog trees, string field)
    {
        if (trees.FindTree(TreeName) is not { } tree || !tree.TryGet(Encoding.UTF8.GetBytes(field), out ReadOnlySpan<byte> bytes)
            || bytes.Length <= FixedSize || (bytes.Length - FixedSize) % WidthSize != 0 || BinaryPrimitives.ReadUInt16LittleEndian(bytes) != Version)
        {
            return null; // It will be measured again.
        }

        List<RecallAt> widths = [];
        for (ReadOnlySpan<byte> rest = bytes[FixedSize..]; !rest.IsEmpty; rest = rest[WidthSize..])
        {
            widths.Add(new RecallAt(
                BinaryPrimitives.ReadInt32LittleEndian(rest), BinaryPrimitives.ReadSingleLittleEndian(rest[4..]),
                BinaryPrimitives.ReadSingleLittleEndian(rest[8..])));
        }

        return new RecallTable(
            BinaryPrimitives.ReadUInt16LittleEndian(bytes[2..]), BinaryPrimitives.ReadUInt32LittleEndian(bytes[4..]),
            BinaryPrimitives.ReadInt64LittleEndian(bytes[8..]), widths);
    }

    public static void Delete(TreeCatalog trees, string field) => trees.FindTree(TreeName)?.Delete(Encoding.UTF8.GetBytes(field));

    public void Write(TreeCatalog trees, string field)
    {
        byte[] bytes = new byte[FixedSize + (widths.Count * WidthSize)];
        BinaryPrimitives.WriteUInt16LittleEndian(bytes, Version);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(2), (ushort)samples);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(4), live);
        BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(8), changes);
        Span<byte> rest = bytes.AsSpan(FixedSize);
        foreach (RecallAt width in widths)
        {
            BinaryPrimitives.WriteInt32LittleEndian(rest, width.Width);
            BinaryPrimitives.WriteSingleLittleEndian(rest[4..], width.Mean);
            BinaryPrimitives.WriteSingleLittleEndian(rest[8..], width.Error);
            rest = rest[WidthSize..];
        }

        trees.CreateTree(TreeName).Put(Encoding.UTF8.GetBytes(field), bytes);
    }

    private static RecallAt Between(RecallAt low, RecallAt high, double target)
    {
        double share = (target - low.Mean) / (high.Mean - low.Mean);
        return new RecallAt(
            (int)Math.Ceiling(low.Width + (share * (high.Width - low.Width))), (float)target, Math.Max(low.Error, high.Error));
    }
}

/// <summary>The recall at one width.</summary>
/// <param name="Width">The candidates of a walk.</param>
/// <param name="Mean">The share of the ten nearest that walks find.</param>
/// <param name="Error">The standard error of the mean.</param>
internal readonly record struct RecallAt(int Width, float Mean, float Error);
