using System.Buffers;
using System.Runtime.CompilerServices;

namespace Jackdaw.Search.Vectors.Codes;

/// <summary>A vector of length 1 as one bit for each dimension: the signs of its numbers after a rotation. A query keeps four bits for each dimension, so that
/// it is compared more exactly than two codes are.</summary>
/// <remarks>
/// The rotated vector r and its signs s point in nearly the same direction, so that the product of any q with r is about q·s / r·s (Gao and Long, "RaBitQ",
/// 2024).
/// <code>
/// offset  size  field of a code; b = bytes of the bits, d / 8 rounded up to 8
///      0     b  the signs, set where r is above 0
///      b     4  float: 1 / r·s
///  b + 4     4  set bits
///
/// offset  size  field of a query, whose number i is about low + step x u, with u from 0 to 15
///      0    4b  the lowest bits of all u, then the next ones
///     4b     4  float: low
/// 4b + 4     4  float: step
/// 4b + 8     4  float: the sum of all low + step x u
/// </code>
/// </remarks>
internal sealed unsafe class SignCode : VectorCode
{
    private const int Planes = 4;
    private const int StepsMax = (1 << Planes) - 1;
    private const int CodeTail = 2 * sizeof(float);
    private const int QueryTail = 3 * sizeof(float);
    private const float LeastStep = 1e-20f;

    private readonly Rotation _rotation;
    private readonly float[] _distances; // by the number of different bits
    private readonly int _bytes;

    public SignCode(int dimensions, ulong seed)
        : base(dimensions, BitRun.BytesOf(dimensions) + CodeTail, (Planes * BitRun.BytesOf(dimensions)) + QueryTail)
    {
        _rotation = new Rotation(dimensions, seed);
        _bytes = BitRun.BytesOf(dimensions);
        _distances = [.. Enumerable.Range(0, dimensions + 1).Select(different => (float)(1 - Math.Cos(Math.PI * different / dimensions)))];
    }

    /// <summary>Bits are so rough that the nearest are among many.</summary>
    public override int ComparedPerHit => 10;

    public override void Encode(float* vector, byte* code)
    {
        float[] rented = ArrayPool<float>.Shared.Rent(Dimensions);
        fixed (float* rotated = rented)
        {
            _rotation.Apply(vector, rotated);
            BitRun.Write(rotated, Dimensions, code);
            double product = 0;
            for (int i = 0; i < Dimensions; i++)
            {
                product += Math.Abs(rotated[i]);
            }

            Unsafe.WriteUnaligned(code + _bytes, (float)(1 / product));
            Unsafe.WriteUnaligned(code + _bytes + sizeof(float), BitRun.Count(code, _bytes));
        }

        ArrayPool<float>.Shared.Return(rented);
    }

    public override void EncodeQuery(float* vector, byte* query)
    {
        float[] rented = ArrayPool<float>.Shared.Rent(Dimensions);
        fixed (float* rotated = rented)
        {
            _rotation.Apply(vector, rotated);
            var numbers = new ReadOnlySpan<float>(rotated, Dimensions);
            (float low, float step) = ScaleOf(numbers);
            int sum = WritePlanes(numbers, low, step, query);
            Unsafe.WriteUnaligned(query + (Planes * _bytes), low);
            Unsafe.WriteUnaligned(query + (Planes * _bytes) + sizeof(float), step);
            Unsafe.WriteUnaligned(query + (Planes * _bytes) + (2 * sizeof(float)), (low * Dimensions) + (step * sum));
        }

        ArrayPool<float>.Shared.Return(rented);
    }

    // The product of a query with signs is twice that with the set bits, less the sum of all.
    public override float Distance(byte* query, byte* code)
    {
        float low = Unsafe.ReadUnaligned<float>(query + (Planes * _bytes));
        float step = Unsafe.ReadUnaligned<float>(query + (Planes * _bytes) + sizeof(float));
        float sum = Unsafe.ReadUnaligned<float>(query + (Planes * _bytes) + (2 * sizeof(float)));
        float factor = Unsafe.ReadUnaligned<float>(code + _bytes);
        int ones = Unsafe.ReadUnaligned<int>(code + _bytes + sizeof(float));
        return 1 - (factor * ((2 * ((low * ones) + (step * BitRun.SumAt(query, code, _bytes)))) - sum));
    }

    /// <summary>The share of different signs is that of the angle in a half circle.</summary>
    public override float DistanceBetween(byte* code, byte* other) => _distances[BitRun.CountDifferent(code, other, _bytes)];

    /// <summary>Half a deviation of a distance. More would let the vectors on the disk decide where bits do.</summary>
    public override float Uncertainty(byte* code) => 0.4f / MathF.Sqrt(Dimensions);

    private static (float Low, float Step) ScaleOf(ReadOnlySpan<float> numbers)
    {
        (float low, float high) = (float.PositiveInfinity, float.NegativeInfinity);
        foreach (float number in numbers)
        {
            low = MathF.Min(low, number);
            high = MathF.Max(high, number);
        }

        return (low, MathF.Max(LeastStep, (high - low) / StepsMax));
    }

    private int WritePlanes(ReadOnlySpan<float> numbers, float low, float step, byte* planes)
    {
        new Span<byte>(planes, Planes * _bytes).Clear();
        int sum = 0;
        for (int i = 0; i < numbers.Length; i++)
        {
            int whole = Math.Clamp((int)MathF.Round((numbers[i] - low) / step), 0, StepsMax);
            sum += whole;
            for (int plane = 0; plane < Planes; plane++)
            {
                planes[(plane * _bytes) + (i / 8)] |= (byte)(((whole >> plane) & 1) << (i % 8));
            }
        }

        return sum;
    }
}
