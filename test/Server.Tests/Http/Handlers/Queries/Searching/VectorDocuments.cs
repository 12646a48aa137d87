using System.Runtime.InteropServices;
using System.Text.Json;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>Random documents with vectors in all the forms in which they may be written, and what a comparison of all of them gives.</summary>
internal sealed class VectorDocuments(int seed)
{
    private const int Dimensions = 8;

    private readonly Random _random = new(seed);
    private readonly SortedDictionary<string, VectorDocument> _all = new(StringComparer.Ordinal);
    private int _rank;

    public IEnumerable<VectorDocument> All => _all.Values;

    public VectorDocument this[string id] => _all[id];

    public void Remove(string id) => _all.Remove(id);

    /// <summary>Makes a document; one in five has no vectors.</summary>
    /// <returns>Its JSON.</returns>
    public string Add(string id)
    {
        bool isWithout = _all.Count % 5 == 4;
        float[] one = Floats();
        float[][] many = [.. Enumerable.Range(0, isWithout ? 0 : 1 + _random.Next(3)).Select(_ => Floats())];
        int[] small = [.. one.Select(_ => _random.Next(-120, 121))]; // never up to 127, so that none looks as if it had a scale
        int[] bits = [_random.Next(256), _random.Next(256)];
        var document = new VectorDocument(id, ((string[])["a", "b", "c"])[_random.Next(3)], _rank++);
        if (!isWithout)
        {
            document.Put("V", one);
            document.Put("Many", many);
            document.Put("Small", [.. small.Select(number => (float)number)]);
            document.Put("Signs", SignsOf(bits));
        }

        _all[id] = document;
        object? v = isWithout ? null : one;
        return JsonSerializer.Serialize(new
        {
            document.Group,
            document.Rank,
            V = v,
            Many = many,
            Base64 = isWithout ? null : Base64(one),
            Wrapped = isWithout ? null : new Dictionary<string, object> { ["@vector"] = one },
            Inner = new { V = v },
            Parts = many.Select(part => new { V = part }),
            Small = isWithout ? null : small,
            Bits = isWithout ? null : bits,
        });
    }

    /// <summary>The numbers that are searched for.</summary>
    public double[] Query(string field) => [.. Written(field).Item2.Select(number => (double)number)];

    /// <summary>The same in each form in which a parameter may have it.</summary>
    public Dictionary<string, object> Parameters(string field)
    {
        (object numbers, float[] compared, byte[] bytes) = Written(field);
        return new()
        {
            ["q"] = numbers,
            ["list"] = new[] { numbers },
            ["wrapped"] = new Dictionary<string, object> { ["@vector"] = numbers },
            ["base64"] = Convert.ToBase64String(bytes),
            ["two"] = new[] { compared, [.. compared.Select(number => -number)] },
        };
    }

    private static (object, float[], byte[]) Written(string field)
    {
        var random = new Random(field.Length);
        switch (field)
        {
            case "Small":
                sbyte[] small = [.. Enumerable.Range(0, Dimensions).Select(_ => (sbyte)random.Next(-120, 121))];
                return (small.Select(number => (int)number).ToArray(), [.. small.Select(number => (float)number)], [.. small.Select(number => (byte)number)]);
            case "Signs":
                int[] bits = [random.Next(256), random.Next(256)];
                return (bits, SignsOf(bits), [.. bits.Select(number => (byte)number)]);
            default:
                float[] numbers = [.. Enumerable.Range(0, Dimensions).Select(_ => MathF.Round(random.NextSingle() - 0.5f, 3))];
                return (numbers, numbers, MemoryMarshal.AsBytes(numbers.AsSpan()).ToArray());
        }
    }

    private float[] Floats() => [.. Enumerable.Range(0, Dimensions).Select(_ => MathF.Round(_random.NextSingle() - 0.5f, 3))];

    private static string Base64(float[] numbers) => Convert.ToBase64String(MemoryMarshal.AsBytes(numbers.AsSpan()));

    private static float[] SignsOf(int[] bytes) => [.. bytes.SelectMany(one => Enumerable.Range(0, 8).Select(bit => (one >> bit & 1) == 1 ? 1f : -1f))];
}

/// <summary>A document and its vectors.</summary>
internal sealed record VectorDocument(string Id, string Group, int Rank)
{
    private readonly Dictionary<string, float[][]> _vectors = [];

    public void Put(string field, params float[][] vectors) => _vectors[field] = vectors;

    public bool Has(string field) => _vectors.ContainsKey(field);

    /// <summary>The cosine of the nearest vector; null when there is none.</summary>
    public double? Cosine(string field, double[] query) => _vectors.TryGetValue(field, out float[][]? vectors)
        ? vectors.Max(vector => Of([.. vector.Select(number => (double)number)], query))
        : null;

    /// <summary>The cosine of the signs.</summary>
    public double SignCosine(string field, double[] query) =>
        _vectors[field].Max(vector => Of([.. vector.Select(number => number > 0 ? 1.0 : -1)], [.. query.Select(number => number > 0 ? 1.0 : -1)]));

    private static double Of(double[] left, double[] right)
    {
        double product = left.Zip(right, (one, other) => one * other).Sum();
        return product / Math.Sqrt(left.Sum(number => number * number) * right.Sum(number => number * number));
    }
}
