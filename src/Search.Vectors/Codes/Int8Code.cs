using System.Runtime.CompilerServices;

namespace Jackdaw.Search.Vectors.Codes;

/// <summary>A vector as signed bytes and one factor, with which the bytes have length 1, so that no vector is nearer to another than to itself.</summary>
/// <remarks>
/// <code>
/// offset         size  field
///      0         d     the bytes, d rounded up to 16; zero after the last dimension
///      d rounded    4  float: what a byte of 1 stands for
/// </code>
/// </remarks>
/// <param name="isExact">Whether the vectors have whole numbers from -128 to 127, which the bytes are. Otherwise the largest number becomes 127, so that
/// nothing has to be trained.</param>
internal sealed unsafe class Int8Code(int dimensions, bool isExact) : VectorCode(dimensions, SizeOf(dimensions), SizeOf(dimensions))
{
    private const int Step = 16;
    private const float LeastLargest = 1e-20f;

    public override bool IsExact => isExact;

    /// <summary>The bytes of a code without its factor.</summary>
    public int Length { get; } = LengthOf(dimensions);

    public override void Encode(float* vector, byte* code)
    {
        var bytes = (sbyte*)code;
        float scale = isExact ? 1 : 127 / Largest(vector);
        for (int i = 0; i < Dimensions; i++)
        {
            bytes[i] = (sbyte)MathF.Round(vector[i] * scale);
        }

        new Span<sbyte>(bytes + Dimensions, Length - Dimensions).Clear();
        Unsafe.WriteUnaligned(code + Length, (float)(1 / Math.Sqrt(VectorKernels.Dot(bytes, bytes, Length))));
    }

    public override void Decode(byte* code, float* vector)
    {
        for (int i = 0; i < Dimensions; i++)
        {
            vector[i] = ((sbyte*)code)[i];
        }
    }

    public override float Distance(byte* query, byte* code) => 1 - Cosine(query, code, Length);

    /// <summary>Three deviations of the error of rounding, for codes like this one.</summary>
    public override float Uncertainty(byte* code) => isExact ? 0 : 1.25f * Unsafe.ReadUnaligned<float>(code + Length);

    /// <summary>The cosine of two vectors, as their codes have it.</summary>
    /// <param name="length"><see cref="Length"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static float Cosine(byte* a, byte* b, int length) =>
        VectorKernels.Dot((sbyte*)a, (sbyte*)b, length) * (Unsafe.ReadUnaligned<float>(a + length) * Unsafe.ReadUnaligned<float>(b + length));

    private static int LengthOf(int dimensions) => (dimensions + Step - 1) / Step * Step;

    private static int SizeOf(int dimensions) => LengthOf(dimensions) + sizeof(float);

    private float Largest(float* vector)
    {
        float largest = LeastLargest;
        for (int i = 0; i < Dimensions; i++)
        {
            largest = MathF.Max(largest, MathF.Abs(vector[i]));
        }

        return largest;
    }
}
