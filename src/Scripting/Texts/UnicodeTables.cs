using System.IO.Compression;

namespace Jackdaw.Scripting.Texts;

/// <summary>What Unicode says about characters and .NET does not know without ICU: how they are taken apart and put together, the order of marks, and
/// weights for comparing. Immutable; it is read when a text first needs it.</summary>
/// <remarks>The server runs without ICU (decision 0056), so that it needs no library of the system and gives the same results everywhere.
/// <c>unicode.bin</c> is written by test/EndToEnd/unicode-tables.js.</remarks>
internal sealed class UnicodeTables
{
    private static readonly Lazy<UnicodeTables> s_instance = new(() => new UnicodeTables());

    private readonly byte[] _bytes;
    private int _position;

    private UnicodeTables()
    {
        using Stream packed = typeof(UnicodeTables).Assembly.GetManifestResourceStream("unicode.bin")!;
        using var brotli = new BrotliStream(packed, CompressionMode.Decompress);
        using var bytes = new MemoryStream();
        brotli.CopyTo(bytes);
        _bytes = bytes.ToArray();
        Canonical = ReadMappings();
        Compatible = ReadMappings();
        ReadComposed();
        ReadClasses();
        UpperCase = ReadMappings().ToDictionary(one => one.Key, one => string.Concat(one.Value.Select(char.ConvertFromUtf32)));
        ReadWeights();
        _bytes = [];
    }

    public static UnicodeTables Instance => s_instance.Value;

    /// <summary>The full canonical decomposition of each code point that has one, except syllables of Hangul.</summary>
    public Dictionary<int, int[]> Canonical { get; }

    /// <summary>The full compatibility decomposition of each code point that has no canonical one.</summary>
    public Dictionary<int, int[]> Compatible { get; }

    /// <summary>The code point that two others become; <see cref="Pair"/> makes the keys.</summary>
    public Dictionary<long, int> Composed { get; } = [];

    /// <summary>Ranks of the combining classes of marks. All other code points have 0.</summary>
    public Dictionary<int, byte> Classes { get; } = [];

    /// <summary>Upper case of code points that becomes several.</summary>
    public Dictionary<int, string> UpperCase { get; }

    /// <summary>Weights of code points.</summary>
    public Dictionary<int, CollationElement[]> Weights { get; } = [];

    /// <summary>Weights of several code points together, for the first of them; the longest come first.</summary>
    public Dictionary<int, List<(int[] More, CollationElement[] Elements)>> Contractions { get; } = [];

    public static long Pair(int first, int second) => ((long)first << 32) | (uint)second;

    private Dictionary<int, int[]> ReadMappings()
    {
        var mappings = new Dictionary<int, int[]>();
        int point = 0;
        for (int count = ReadNumber(); count > 0; count--)
        {
            point += ReadNumber();
            int[] mapped = new int[ReadNumber()];
            for (int i = 0; i < mapped.Length; i++)
            {
                mapped[i] = (i == 0 ? point : mapped[i - 1]) + ReadSigned();
            }

            mappings.Add(point, mapped);
        }

        return mappings;
    }

    // The last part of a decomposition is put to what the parts before it become, so shorter ones must be known first.
    private void ReadComposed()
    {
        var points = new int[ReadNumber()];
        for (int i = 0; i < points.Length; i++)
        {
            points[i] = (i == 0 ? 0 : points[i - 1]) + ReadNumber();
        }

        foreach (int point in points.OrderBy(point => Canonical[point].Length))
        {
            int[] parts = Canonical[point];
            int first = parts[0];
            foreach (int part in parts.AsSpan(1, parts.Length - 2))
            {
                first = Composed[Pair(first, part)];
            }

            Composed.Add(Pair(first, parts[^1]), point);
        }
    }

    private void ReadClasses()
    {
        int point = 0;
        for (int count = ReadNumber(); count > 0; count--)
        {
            point += ReadNumber();
            Classes.Add(point, (byte)ReadNumber());
        }
    }

    private void ReadWeights()
    {
        int point = 0;
        int primary = 0;
        for (int count = ReadNumber(); count > 0; count--)
        {
            point += ReadNumber();
            int[] rest = new int[ReadNumber()];
            for (int i = 0; i < rest.Length; i++)
            {
                rest[i] = ReadNumber();
            }

            CollationElement[] elements = new CollationElement[ReadNumber()];
            for (int i = 0; i < elements.Length; i++)
            {
                primary += ReadSigned();
                elements[i] = new CollationElement(primary, (ushort)ReadNumber(), (byte)ReadNumber());
            }

            Add(point, rest, elements);
        }
    }

    private void Add(int point, int[] rest, CollationElement[] elements)
    {
        if (rest.Length == 0)
        {
            Weights.Add(point, elements);
            return;
        }

        if (!Contractions.TryGetValue(point, out List<(int[] More, CollationElement[] Elements)>? known))
        {
            Contractions.Add(point, known = []);
        }

        known.Insert(0, (rest, elements)); // they are stored by length
    }

    private int ReadNumber()
    {
        int value = 0;
        for (int shift = 0; ; shift += 7)
        {
            byte next = _bytes[_position++];
            value |= (next & 0x7F) << shift;
            if (next < 0x80)
            {
                return value;
            }
        }
    }

    private int ReadSigned()
    {
        int value = ReadNumber();
        return (value & 1) == 0 ? value >> 1 : -((value + 1) >> 1);
    }
}

/// <summary>What a character weighs in a comparison: its letter, its accent, and its case or form. 0 is ignored.</summary>
internal readonly record struct CollationElement(int Primary, ushort Secondary, byte Tertiary);
