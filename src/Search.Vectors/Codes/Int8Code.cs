using System.Runtime.CompilerServices;

namespace Jackdaw.Search.Vectors.Codes;

/// <summary>A vector as signed bytes and one factor: its largest number becomes 127, so that nothing has to be trained. With the factor the bytes have length 1
/// again, so that no vector is nearer to another than to itself.</summary>
/// <remarks>
/// <code>
/// offset         size  field
///      0         d     the bytes, d rounded up to 16; zero after the last dimension
///      d rounded    4  float: what a byte of 1 stands for
/// </code>
/// </remarks>
internal static unsafe class Int8Code
{
    private const int Step = 16;
    private const float LeastLargest = 1e-20f;

    /// <summary>The bytes of a code without its factor.</summary>
    public static int LengthOf(int dimensions) => (dimensions + Step - 1) / Step * Step;

    public static int SizeOf(int dimensions) => LengthOf(dimensions) + sizeof(float);

    /// <summary>Writes a code.</summary>
    /// <param name="code">Gets <see cref="SizeOf"/> bytes.</param>
    public static void Encode(float* vector, int dimensions, sbyte* code)
    {
        float largest = LeastLargest;
        for (int i = 0; i < dimensions; i++)
        {
            largest = MathF.Max(largest, MathF.Abs(vector[i]));
        }

        float scale = 127 / largest;
        int length = LengthOf(dimensions);
        for (int i = 0; i < dimensions; i++)
        {
            code[i] = (sbyte)MathF.Round(vector[i] * scale);
        }

        new Span<sbyte>(code + dimensions, length - dimensions).Clear();
        Unsafe.WriteUnaligned(code + length, (float)(1 / Math.Sqrt(VectorKernels.Dot(code, code, length))));
    }

    /// <summary>How far apart two cosines must be for codes to tell them apart: three deviations of the error of rounding, for codes like this one.</summary>
    public static float Uncertainty(sbyte* code, int length) => 1.25f * Unsafe.ReadUnaligned<float>(code + length);

    /// <summary>The cosine of two vectors of length 1, as their codes have it.</summary>
    /// <param name="length"><see cref="LengthOf"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static float Cosine(sbyte* a, sbyte* b, int length) =>
        VectorKernels.Dot(a, b, length) * (Unsafe.ReadUnaligned<float>(a + length) * Unsafe.ReadUnaligned<float>(b + length));
}
