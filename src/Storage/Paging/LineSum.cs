using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.Arm;
using System.Runtime.Intrinsics.X86;

namespace Jackdaw.Storage.Paging;

/// <summary>The sum that <see cref="Checksum"/> is made of: lines of 64 bytes may be added and subtracted in any order.</summary>
/// <remarks>
/// A word <c>x</c> at place <c>j</c> of line <c>i</c> counts <c>low(v) * high(v) + WordFactor * x</c>, where <c>v = x xor (key j + i *
/// KeyStep)</c> and low and high are its halves of 32 bits; all modulo 2^64. The product spreads each half over the other and
/// depends on the place; the second term sees a change of one half when the other is zero.
/// The keys are the first eight numbers of SplitMix64 from 0.
/// </remarks>
internal unsafe struct LineSum
{
    /// <summary>Bytes of a line.</summary>
    public const int LineBytes = 64;

    public const ulong KeyStep = 0x9E3779B97F4A7C15;

    private const ulong WordFactor = 0xBF58476D1CE4E5B9;

    private Vector256<ulong> _lowProducts;
    private Vector256<ulong> _highProducts;
    private Vector256<ulong> _lowWords;
    private Vector256<ulong> _highWords;

    private static ReadOnlySpan<ulong> Keys =>
    [
        0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC,
        0x1B39896A51A8749B, 0x53CB9F0C747EA2EA, 0x2C829ABE1F4532E1, 0xC584133AC916AB3C,
    ];

    /// <summary>The sum that the lines add to the checksum.</summary>
    public readonly ulong Total =>
        Vector256.Sum(_lowProducts + _highProducts) + (WordFactor * Vector256.Sum(_lowWords + _highWords));

    /// <summary>Adds neighbouring lines.</summary>
    /// <remarks>Fully optimized at the first call: code compiled ahead of time cannot use these vectors, and the first,
    /// unoptimized code of the just-in-time compiler is many times slower, just when recovery sums up a
    /// gigabyte.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void Add(byte* data, long first, long count)
    {
        Debug.Assert(first >= 0 && count >= 0);

        // In locals: the processor's registers hold them, fields would be stored for every line.
        (Vector256<ulong> lowKeys, Vector256<ulong> highKeys) = KeysOf(first);
        Vector256<ulong> step = Vector256.Create(KeyStep);
        Vector256<ulong> lowProducts = _lowProducts, highProducts = _highProducts, lowWords = _lowWords, highWords = _highWords;
        for (byte* end = data + (count * LineBytes); data != end; data += LineBytes)
        {
            (Vector256<ulong> low, Vector256<ulong> high) = Load(data);
            lowProducts += MultiplyHalves(low ^ lowKeys);
            highProducts += MultiplyHalves(high ^ highKeys);
            lowWords += low;
            highWords += high;
            lowKeys += step;
            highKeys += step;
        }

        _lowProducts = lowProducts;
        _highProducts = highProducts;
        _lowWords = lowWords;
        _highWords = highWords;
    }

    /// <summary>Subtracts a line and adds the one that replaces it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Replace(byte* before, byte* after, long index)
    {
        (Vector256<ulong> low, Vector256<ulong> high) = Load(after);
        (Vector256<ulong> oldLow, Vector256<ulong> oldHigh) = Load(before);
        (Vector256<ulong> lowKeys, Vector256<ulong> highKeys) = KeysOf(index);
        _lowProducts += MultiplyHalves(low ^ lowKeys) - MultiplyHalves(oldLow ^ lowKeys);
        _highProducts += MultiplyHalves(high ^ highKeys) - MultiplyHalves(oldHigh ^ highKeys);
        _lowWords += low - oldLow;
        _highWords += high - oldHigh;
    }

    /// <summary>The value of one word of the first line.</summary>
    public static ulong CountWord(ulong word, int place)
    {
        Debug.Assert(place is >= 0 and < LineBytes / sizeof(ulong));
        ulong mixed = word ^ Keys[place];
        return ((uint)mixed * (mixed >> 32)) + (WordFactor * word);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static (Vector256<ulong> Low, Vector256<ulong> High) Load(byte* line) =>
        (Vector256.Load((ulong*)line), Vector256.Load((ulong*)line + 4));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static (Vector256<ulong> Low, Vector256<ulong> High) KeysOf(long index)
    {
        Vector256<ulong> step = Vector256.Create((ulong)index * KeyStep);
        return (Vector256.Create(Keys) + step, Vector256.Create(Keys[Vector256<ulong>.Count..]) + step);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ulong> MultiplyHalves(Vector256<ulong> words)
    {
        if (Avx2.IsSupported)
        {
            return Avx2.Multiply(words.AsUInt32(), (words >>> 32).AsUInt32());
        }

        if (AdvSimd.IsSupported)
        {
            return Vector256.Create(MultiplyHalves(words.GetLower()), MultiplyHalves(words.GetUpper()));
        }

        return (words & Vector256.Create((ulong)uint.MaxValue)) * (words >>> 32);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ulong> MultiplyHalves(Vector128<ulong> words) => AdvSimd.MultiplyWideningLower(
        AdvSimd.ExtractNarrowingLower(words), AdvSimd.ShiftRightLogicalNarrowingLower(words, 32));
}
