using System.Text;
using System.Text.Json;
using Jackdaw.Json.Tape;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Json.Tests.Tape;

/// <summary>Random texts, whole, cut and changed: a tape takes those that the framework takes, and finds the same in
/// them.</summary>
public sealed class JsonTapeModelTests(ITestOutputHelper output)
{
    private const int Rounds = 1500;
    private const int MutationsPerRound = 6;
    private const int CutsPerRound = 6;

    [Fact]
    public void Read_RandomTexts_AgreesWithTheFramework()
    {
        using var tape = new JsonTape();
        int first = FuzzSeed.First;
        int rounds = FuzzSeed.Rounds(Rounds);
        int values = 0;
        int refused = 0;
        for (int seed = first; seed < first + rounds; seed++)
        {
            var random = new Random(seed);
            var json = new RandomJson(random);
            byte[] document = random.Next(4) == 0 ? RandomNumbers(random) : json.Document();
            for (int mutation = 0; mutation <= MutationsPerRound; mutation++)
            {
                byte[] text = mutation == 0 ? document : json.Mutate(document);
                int compared = Check(tape, text, text.Length, $"seed {seed}, mutation {mutation}");
                values += compared;
                refused += compared == 0 ? 1 : 0;
            }

            for (int cut = 0; cut < CutsPerRound; cut++)
            {
                Check(tape, document, random.Next(document.Length), $"seed {seed}, cut {cut}");
            }
        }

        output.WriteLine($"seeds {first} to {first + rounds - 1}: {values} values compared, {refused} texts refused");
        Assert.True(values > rounds && refused > rounds / 10, "one side was not tested");
    }

    // What lies behind the cut is there, and must not be looked at.
    private static int Check(JsonTape tape, byte[] bytes, int length, string place)
    {
        byte[] text = bytes[..length];
        place = $"{place}: {Encoding.UTF8.GetString(text)} = {Convert.ToHexString(text)}";
        using JsonDocument? expected = TapeOracle.Parse(text);
        try
        {
            TapeValue root = tape.Read(bytes.AsSpan(0, length));
            Assert.True(expected is not null, $"taken, but the framework refuses {place}");
            return TapeOracle.Compare(root, expected.RootElement, text, place);
        }
        catch (DocumentFormatException refusal)
        {
            Assert.True(expected is null, $"refused ({refusal.Message}), but the framework takes {place}");
            Assert.InRange(refusal.Location.Offset, 0, length);
            Assert.True(tape.Words.IsEmpty);
            return 0;
        }
    }

    private static byte[] RandomNumbers(Random random)
    {
        var text = new StringBuilder("[");
        for (int count = random.Next(12); count >= 0; count--)
        {
            text.Append(random.Next(3) == 0 ? "-" : "");
            text.Append(random.Next(3) == 0 ? "0" : $"{random.Next(1, 10)}{Digits(random)}");
            text.Append(random.Next(3) == 0 ? $".{random.Next(10)}{Digits(random)}" : "");
            text.Append(random.Next(4) == 0 ? "eE"[random.Next(2)].ToString() : "");
            text.Append(char.IsAsciiLetter(text[^1]) ? $"{((string[])["", "+", "-"])[random.Next(3)]}{random.Next(400)}" : "");
            text.Append(count > 0 ? "," : "]");
        }

        return Encoding.ASCII.GetBytes(text.ToString());
    }

    private static string Digits(Random random) =>
        string.Concat(Enumerable.Range(0, random.Next(random.Next(4) == 0 ? 40 : 5)).Select(_ => random.Next(10)));
}
