using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Jackdaw.Search.Segments.Codes;

/// <summary>Packs blocks of 128 numbers with as many bits as the largest one needs (Lemire and Boytsov 2015).</summary>
/// <remarks>
/// Number i lies in lane i % 4 of row i / 4; the rows of a lane follow each other bit by bit, from the lowest bit of a word on. A block of width w has w words
/// of 16 bytes. Without vector instructions the same code runs on plain numbers, and writes the same bytes.
/// </remarks>
internal static unsafe class BlockPacking
{
    /// <summary>The numbers of a block.</summary>
    public const int BlockSize = 128;

    private const int Lanes = 4;
    private const int Rows = BlockSize / Lanes;
    private const int WordBits = 32;

    /// <summary>The bits that the largest of a block's numbers needs.</summary>
    public static int WidthOf(uint* values)
    {
        Vector128<uint> all = Vector128<uint>.Zero;
        for (int row = 0; row < Rows; row++)
        {
            all |= Vector128.Load(values + (row * Lanes));
        }

        return WordBits - BitOperations.LeadingZeroCount(all[0] | all[1] | all[2] | all[3]);
    }

    /// <summary>The bytes of a block.</summary>
    public static int BytesOf(int width) => width * sizeof(uint) * Lanes;

    /// <param name="target">Space for <see cref="BytesOf"/> bytes.</param>
    public static void Pack(uint* values, int width, byte* target)
    {
        Vector128<uint> word = Vector128<uint>.Zero;
        int used = 0;
        for (int row = 0; row < Rows && width > 0; row++)
        {
            Vector128<uint> value = Vector128.Load(values + (row * Lanes));
            word |= value << used;
            used += width;
            if (used < WordBits)
            {
                continue;
            }

            word.Store((uint*)target);
            target += sizeof(uint) * Lanes;
            used -= WordBits;
            word = used > 0 ? value >>> (width - used) : Vector128<uint>.Zero;
        }
    }

    /// <summary>Unpacks the numbers of a block.</summary>
    /// <param name="values">Space for <see cref="BlockSize"/> numbers.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static void Unpack(byte* source, int width, uint* values)
    {
        if (width == 0)
        {
            new Span<uint>(values, BlockSize).Clear();
            return;
        }

        Vector128<uint> mask = MaskOf(width);
        Vector128<uint> word = Vector128.Load((uint*)source);
        int shift = 0;
        for (int row = 0; row < Rows; row++)
        {
            (TakeNext(ref source, ref word, ref shift, width, row) & mask).Store(values + (row * Lanes));
        }
    }

    /// <summary>Unpacks a block of differences, and adds each to the number before it.</summary>
    /// <param name="before">The number before the first one.</param>
    /// <param name="values">Space for <see cref="BlockSize"/> numbers.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static void UnpackDeltas(byte* source, int width, uint before, uint* values)
    {
        Vector128<uint> last = Vector128.Create(before);
        if (width == 0)
        {
            new Span<uint>(values, BlockSize).Fill(before);
            return;
        }

        Vector128<uint> mask = MaskOf(width);
        Vector128<uint> word = Vector128.Load((uint*)source);
        int shift = 0;
        for (int row = 0; row < Rows; row++)
        {
            Vector128<uint> sum = TakeNext(ref source, ref word, ref shift, width, row) & mask;
            sum += ShiftLanes(sum, 1);
            sum += ShiftLanes(sum, 2);
            sum += last;
            sum.Store(values + (row * Lanes));
            last = Vector128.Shuffle(sum, Vector128.Create(3u));
        }
    }

    private static Vector128<uint> MaskOf(int width) => Vector128.Create(width == WordBits ? uint.MaxValue : (1u << width) - 1);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<uint> TakeNext(ref byte* source, ref Vector128<uint> word, ref int shift, int width, int row)
    {
        Vector128<uint> value = word >>> shift;
        shift += width;
        if (shift >= WordBits)
        {
            shift -= WordBits;
            if (row < Rows - 1)
            {
                source += sizeof(uint) * Lanes;
                word = Vector128.Load((uint*)source);
                value |= shift > 0 ? word << (width - shift) : Vector128<uint>.Zero;
            }
        }

        return value;
    }

    // Lanes move up by a count, and zeros come in at the bottom.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<uint> ShiftLanes(Vector128<uint> value, int count) =>
        Sse2.IsSupported ? count == 1 ? Sse2.ShiftLeftLogical128BitLane(value, 4) : Sse2.ShiftLeftLogical128BitLane(value, 8)
        : count == 1 ? Vector128.Create(0, value[0], value[1], value[2])
        : Vector128.Create(0, 0, value[0], value[1]);
}
