using System.Text;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Memory;

namespace Jackdaw.Search.Segments.Tests.Codes;

public sealed class SymbolTableTests
{
    public static TheoryData<string> Kinds => ["words", "dates", "letters", "bytes", "zeros", "one", "pairs", "empty", "long"];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Terms_WrittenWithSymbols_AreReadAsTheyWere(string kind)
    {
        for (int seed = 0; seed < 20; seed++)
        {
            var random = new Random(seed);
            using var training = new SymbolTraining();
            byte[][] terms = [.. Enumerable.Range(0, 300).Select(_ => Make(kind, random))];
            Train(training, terms);
            foreach (byte[] term in (byte[][])[.. terms, .. Enumerable.Range(0, 50).Select(_ => Make("bytes", random))])
            {
                Assert.True(term.AsSpan().SequenceEqual(ReadBack(training.Table, term, out _)), $"{kind}, seed {seed}: {Convert.ToHexString(term)}");
            }
        }
    }

    [Theory]
    [InlineData("words", 0.6)]
    [InlineData("dates", 0.6)]
    public void Terms_OfTextsAndDates_BecomeMuchShorter(string kind, double share)
    {
        var random = new Random(1);
        using var training = new SymbolTraining();
        byte[][] terms = [.. Enumerable.Range(0, 300).Select(_ => Make(kind, random))];
        Assert.True(Train(training, terms));
        long before = 0, after = 0;
        foreach (byte[] term in terms)
        {
            ReadBack(training.Table, term, out int encoded);
            before += term.Length;
            after += encoded;
        }

        Assert.InRange(after, 1, before * share);
    }

    [Fact]
    public void Terms_WithoutAnythingInCommon_GetNoTable()
    {
        var random = new Random(1);
        using var training = new SymbolTraining();
        Assert.False(Train(training, [.. Enumerable.Range(0, 100).Select(_ => Make("bytes", random))]));
    }

    [Fact]
    public void Terms_ThatAreFew_GetNoTable()
    {
        var random = new Random(1);
        using var training = new SymbolTraining();
        Assert.False(Train(training, [.. Enumerable.Range(0, 100).Select(_ => Make("words", random))], termBytesMin: 100_000));
    }

    [Fact]
    public unsafe void Codes_ThatCannotBeRight_AreRefused()
    {
        var random = new Random(5);
        using var training = new SymbolTraining();
        Train(training, [.. Enumerable.Range(0, 100).Select(_ => Make("words", random))]);
        using var table = new NativeBuffer();
        training.Table.Write(table);
        int count = Math.Min(20, training.Table.Count), refused = 0;
        byte* target = stackalloc byte[100 + SymbolTable.SymbolBytesMax];
        for (int i = 0; i < 10_000; i++)
        {
            byte[] codes = new byte[random.Next(40)];
            random.NextBytes(codes);
            fixed (byte* start = codes)
            {
                int length = SymbolTable.Decode((ulong*)table.Start, count, start, codes.Length, target, 100);
                Assert.InRange(length, -1, 100);
                refused += length < 0 ? 1 : 0;
            }
        }

        Assert.InRange(refused, 5000, 9999);
    }

    private static unsafe bool Train(SymbolTraining training, byte[][] terms, int termBytesMin = 0)
    {
        foreach (byte[] term in terms)
        {
            fixed (byte* start = term)
            {
                training.Add(start, term.Length);
            }
        }

        return training.Run(terms.Length, termBytesMin);
    }

    private static unsafe byte[] ReadBack(SymbolTable symbols, byte[] term, out int encodedLength)
    {
        using var table = new NativeBuffer();
        symbols.Write(table);
        Assert.Equal(SymbolTable.StoredBytes(symbols.Count), table.Length);
        byte[] encoded = new byte[(2 * term.Length) + 1], decoded = new byte[term.Length + SymbolTable.SymbolBytesMax];
        fixed (byte* start = term, codes = encoded, target = decoded)
        {
            encodedLength = symbols.Encode(start, term.Length, codes);
            Assert.InRange(encodedLength, 0, 2 * term.Length);
            int length = SymbolTable.Decode((ulong*)table.Start, symbols.Count, codes, encodedLength, target, term.Length);
            return decoded[..Math.Max(0, length)];
        }
    }

    private static byte[] Make(string kind, Random random) => kind switch
    {
        "words" => Encoding.UTF8.GetBytes(string.Join(' ', Enumerable.Range(0, random.Next(12)).Select(_ => "word" + random.Next(50)))),
        "dates" => Encoding.UTF8.GetBytes($"{random.Next(1000, 3000)}-0{random.Next(1, 10)}-{random.Next(10, 29)}t{random.Next(10, 24)}:00:00.0000000z"),
        "letters" => [.. Enumerable.Range(0, random.Next(20)).Select(_ => (byte)('a' + random.Next(3)))],
        "bytes" => Bytes(random, random.Next(60)),
        "zeros" => new byte[random.Next(30)],
        "one" => [(byte)random.Next(4)],
        "pairs" => [(byte)random.Next(3), (byte)random.Next(3)],
        "empty" => [],
        _ => Bytes(random, 9000),
    };

    private static byte[] Bytes(Random random, int length)
    {
        byte[] bytes = new byte[length];
        random.NextBytes(bytes);
        return bytes;
    }
}
