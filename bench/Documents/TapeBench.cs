using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json.Paths;
using Jackdaw.Json.Tape;

namespace Jackdaw.DocumentsBench;

/// <summary>One thread reads fields of stored documents of several sizes; each way by turns, so that a busy machine is
/// busy for all.</summary>
internal static class TapeBench
{
    private const int Rounds = 15;
    private const long BytesPerRound = 16L << 20;
    private static readonly int[] s_sizes = [300, 1000, 10_000, 100_000];
    private static readonly DocumentPath[] s_paths =
        [Path("Company"), Path("OrderedAt"), Path("ShipTo.City"), Path("Lines[0].Product"), Path("@metadata.@collection")];

    private static readonly JsonTape s_tape = new();

    public static int Run()
    {
        (string Name, Func<byte[], int> Read)[] ways =
        [
            ("tape", json => s_tape.Read(json).Count),
            ("tape, five fields", ReadFields),
            ("Utf8JsonReader alone", ReadTokens),
            ("JsonDocument", ReadDocument),
        ];
        Console.WriteLine("way | bytes | tokens and brackets | ns/document median (lowest) | ns/KB | allocated bytes/document");
        foreach (int size in s_sizes)
        {
            byte[] json = MakeOrder(size);
            var nanoseconds = ways.Select(_ => new List<double>()).ToArray();
            var allocated = new double[ways.Length];
            for (int round = -3; round < Rounds; round++)
            {
                for (int way = 0; way < ways.Length; way++)
                {
                    double spent = Measure(ways[way].Read, json, out allocated[way]);
                    if (round >= 0)
                    {
                        nanoseconds[way].Add(spent);
                    }
                }
            }

            for (int way = 0; way < ways.Length; way++)
            {
                nanoseconds[way].Sort();
                double median = nanoseconds[way][Rounds / 2];
                Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{ways[way].Name} | {json.Length} | {s_tape.Words.Length} | " +
                    $"{median:0} ({nanoseconds[way][0]:0}) | {median * 1000 / json.Length:0} | {allocated[way]:0.0}"));
            }
        }

        return 0;
    }

    private static double Measure(Func<byte[], int> read, byte[] json, out double allocated)
    {
        int times = (int)(BytesPerRound / json.Length);
        long before = GC.GetAllocatedBytesForCurrentThread();
        long started = Stopwatch.GetTimestamp();
        int sum = 0;
        for (int i = 0; i < times; i++)
        {
            sum += read(json);
        }

        double spent = Stopwatch.GetElapsedTime(started).TotalNanoseconds / times;
        allocated = (GC.GetAllocatedBytesForCurrentThread() - before) / (double)times;
        return sum == 0 ? throw new InvalidOperationException("Nothing was read.") : spent;
    }

    private static int ReadFields(byte[] json)
    {
        TapeValue root = s_tape.Read(json);
        var sum = default(TextBytes);
        foreach (DocumentPath path in s_paths)
        {
            path.AnyWhole(root, ref sum);
        }

        return sum.Value;
    }

    private struct TextBytes : IValueTest
    {
        public int Value { get; private set; }

        public bool Test(TapeValue value)
        {
            Value += value.TextBytesMax;
            return true;
        }
    }

    private static int ReadTokens(byte[] json)
    {
        var reader = new Utf8JsonReader(json);
        int tokens = 0;
        while (reader.Read())
        {
            tokens++;
        }

        return tokens;
    }

    private static int ReadDocument(byte[] json)
    {
        using JsonDocument document = JsonDocument.Parse(json);
        return document.RootElement.GetPropertyCount();
    }

    private static DocumentPath Path(string text) =>
        DocumentPath.TryParse(text, out DocumentPath? path) ? path : throw new ArgumentException($"'{text}' is no path.");

    // An order of a shop, with as many lines as the size needs; parsed, so that it is the stored form.
    private static byte[] MakeOrder(int bytes)
    {
        const string end = """],"@metadata":{"@collection":"Orders"}}""";
        var random = new Random(bytes);
        var text = new StringBuilder("""{"Company":"companies/85-A","Employee":"employees/5-A","Freight":32.38,"OrderedAt":"1996-07-04T00:00:00.0000000",""");
        text.Append(bytes < 500 ? "" : """ "RequireAt":"1996-08-01T00:00:00.0000000","ShipVia":"shippers/3-A","ShippedAt":null,""");
        text.Append(""" "ShipTo":{"City":"Reims","Country":"France","Line1":"59 rue de l'Abbaye"},"Lines":[""");
        for (int line = 0; line == 0 || text.Length + end.Length < bytes - 60; line++)
        {
            text.Append(line > 0 ? "," : "");
            text.Append(CultureInfo.InvariantCulture, $$"""{"Discount":0.{{random.Next(100)}},"PricePerUnit":{{random.Next(10_000) / 100m}},""");
            text.Append(CultureInfo.InvariantCulture, $$""" "Product":"products/{{random.Next(100)}}-A","Quantity":{{random.Next(50)}}""");
            text.Append(random.Next(4) > 0 ? """,  "ProductName":"Mozzarella di Giovanni"}""" : """,  "ProductName":"Raclette \"Courdavault\" à l'été"}""");
        }

        using var parser = new DocumentParser(StandardExtensions.All);
        return parser.Parse(Encoding.UTF8.GetBytes(text.Append(end).ToString())).Bytes.ToArray();
    }
}
