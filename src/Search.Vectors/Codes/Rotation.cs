using System.Runtime.Intrinsics;

namespace Jackdaw.Search.Vectors.Codes;

/// <summary>A random rotation, after which all numbers of a vector are about equally large. Immutable.</summary>
/// <remarks>Each of four rounds gives the numbers random signs and mixes a power of two of them, first those at the beginning, then those at the end, by
/// the sums and differences of Walsh and Hadamard. It takes some 4 d log2 d additions instead of the d x d products of a matrix.</remarks>
internal sealed unsafe class Rotation
{
    private const int Rounds = 4;

    private readonly int _dimensions;
    private readonly int _window;
    private readonly float[] _signs; // of all rounds, times the factor that keeps the length

    /// <param name="dimensions">16 or more.</param>
    public Rotation(int dimensions, ulong seed)
    {
        _dimensions = dimensions;
        _window = (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)dimensions + 1) / 2;
        _signs = new float[Rounds * dimensions];
        for (int i = 0; i < _signs.Length; i++)
        {
            int inRound = i % dimensions;
            int first = FirstOf(i / dimensions);
            float factor = inRound >= first && inRound < first + _window ? 1 / MathF.Sqrt(_window) : 1;
            _signs[i] = IsNegative(seed, i) ? -factor : factor;
        }
    }

    public void Apply(float* vector, float* rotated)
    {
        new ReadOnlySpan<float>(vector, _dimensions).CopyTo(new Span<float>(rotated, _dimensions));
        fixed (float* signs = _signs)
        {
            for (int round = 0; round < Rounds; round++)
            {
                for (int i = 0; i < _dimensions; i++)
                {
                    rotated[i] *= signs[(round * _dimensions) + i];
                }

                Mix(rotated + FirstOf(round));
            }
        }
    }

    private int FirstOf(int round) => round % 2 == 0 ? 0 : _dimensions - _window;

    private void Mix(float* numbers)
    {
        for (int half = 1; half < _window; half *= 2)
        {
            for (int first = 0; first < _window; first += 2 * half)
            {
                AddAndSubtract(numbers + first, numbers + first + half, half);
            }
        }
    }

    private static void AddAndSubtract(float* a, float* b, int count)
    {
        int i = 0;
        for (; i + 8 <= count; i += 8)
        {
            Vector256<float> first = Vector256.Load(a + i), second = Vector256.Load(b + i);
            (first + second).Store(a + i);
            (first - second).Store(b + i);
        }

        for (; i < count; i++)
        {
            (a[i], b[i]) = (a[i] + b[i], a[i] - b[i]);
        }
    }

    private static bool IsNegative(ulong seed, int index)
    {
        ulong hash = ((ulong)index + 1) * 0x9E3779B97F4A7C15UL ^ seed;
        hash = (hash ^ (hash >> 32)) * 0xD6E8FEB86659FD93UL;
        return ((hash ^ (hash >> 29)) & 1) == 1;
    }
}
