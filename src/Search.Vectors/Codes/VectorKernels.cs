using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Jackdaw.Search.Vectors.Codes;

/// <summary>Sums of products and of squared differences. The widest instructions of the processor are used; without AVX2 the same sums come from portable
/// vectors. Sums of whole numbers are the same everywhere, those of floats up to rounding.</summary>
internal static unsafe class VectorKernels
{
    /// <summary>The sum of the squared differences of two runs of floats, of any alignment.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static float SquaredDistance(float* a, float* b, int count)
    {
        Vector256<float> s0 = default, s1 = default, s2 = default, s3 = default;
        int i = 0;
        for (; i + 32 <= count; i += 32)
        {
            s0 = AddSquare(a + i, b + i, s0);
            s1 = AddSquare(a + i + 8, b + i + 8, s1);
            s2 = AddSquare(a + i + 16, b + i + 16, s2);
            s3 = AddSquare(a + i + 24, b + i + 24, s3);
        }

        for (; i + 8 <= count; i += 8)
        {
            s0 = AddSquare(a + i, b + i, s0);
        }

        float sum = Vector256.Sum(s0 + s1 + (s2 + s3));
        for (; i < count; i++)
        {
            sum += (a[i] - b[i]) * (a[i] - b[i]);
        }

        return sum;
    }

    /// <summary>The sum of the products of two runs of signed bytes.</summary>
    /// <param name="count">A multiple of 16.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Dot(sbyte* a, sbyte* b, int count)
    {
        if (!Avx2.IsSupported)
        {
            return DotPortable(a, b, count);
        }

        Vector256<int> s0 = default, s1 = default;
        int i = 0;
        for (; i + 32 <= count; i += 32)
        {
            s0 += Avx2.MultiplyAddAdjacent(Avx2.ConvertToVector256Int16(a + i), Avx2.ConvertToVector256Int16(b + i));
            s1 += Avx2.MultiplyAddAdjacent(Avx2.ConvertToVector256Int16(a + i + 16), Avx2.ConvertToVector256Int16(b + i + 16));
        }

        for (; i < count; i += 16)
        {
            s0 += Avx2.MultiplyAddAdjacent(Avx2.ConvertToVector256Int16(a + i), Avx2.ConvertToVector256Int16(b + i));
        }

        return Vector256.Sum(s0 + s1);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<float> AddSquare(float* a, float* b, Vector256<float> sum)
    {
        Vector256<float> difference = Vector256.Load(a) - Vector256.Load(b);
        return Vector256.MultiplyAddEstimate(difference, difference, sum);
    }

    private static int DotPortable(sbyte* a, sbyte* b, int count)
    {
        Vector128<int> sum = default;
        for (int i = 0; i < count; i += 16)
        {
            (Vector128<short> a0, Vector128<short> a1) = Vector128.Widen(Vector128.Load(a + i));
            (Vector128<short> b0, Vector128<short> b1) = Vector128.Widen(Vector128.Load(b + i));
            (Vector128<int> p0, Vector128<int> p1) = Vector128.Widen(a0 * b0);
            (Vector128<int> p2, Vector128<int> p3) = Vector128.Widen(a1 * b1);
            sum += p0 + p1 + (p2 + p3);
        }

        return Vector128.Sum(sum);
    }
}
