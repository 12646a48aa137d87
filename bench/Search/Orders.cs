using System.Globalization;
using System.Text;
using Jackdaw.Search.Entries;

namespace Jackdaw.Bench.Search;

/// <summary>Orders of a shop: 12 indexed fields of a document of about 600 bytes. Equal numbers give equal orders.</summary>
internal sealed class Orders
{
    private static readonly IndexField s_note = new("Note") { Indexing = IndexingMode.Text };
    private static readonly IndexField s_place = new("Location");
    private static readonly IndexField[] s_plain = [.. new[]
    {
        "Company", "Employee", "OrderedAt", "ShippedAt", "Freight", "Int", "ShipVia", "City", "Country", "Products",
    }.Select(name => new IndexField(name))];

    private static readonly string[] s_syllables =
        ["ba", "ko", "mi", "ra", "tu", "le", "no", "si", "ve", "da", "po", "gu", "fe", "zi", "ha", "jo", "ku", "ly", "mer", "ton", "ville", "berg", "dor"];

    private readonly string[] _words;
    private readonly string[] _cities;
    private readonly string[] _products;

    /// <param name="words">Words that notes are made of.</param>
    public Orders(int words)
    {
        var random = new Random(42);
        string Make(int syllables) => string.Concat(Enumerable.Range(0, syllables).Select(_ => s_syllables[random.Next(s_syllables.Length)]));
        _words = [.. Enumerable.Range(0, words).Select(i => Make(2 + (i % 3)) + (words > 20_000 ? i.ToString("x", CultureInfo.InvariantCulture) : ""))];
        _cities = [.. Enumerable.Range(0, 500).Select(_ => Make(3))];
        _products = [.. Enumerable.Range(0, 800).Select(_ => Make(2) + " " + Make(2))];
    }

    public static IndexFields Fields { get; } = new([.. s_plain, s_note, s_place]);

    public static byte[] IdOf(int number) => Encoding.UTF8.GetBytes("orders/" + number.ToString(CultureInfo.InvariantCulture));

    /// <summary>Fills an entry; another version is another order of the same id.</summary>
    /// <returns>Bytes of the document.</returns>
    public int Fill(IndexEntry entry, int number, int version)
    {
        var random = new Random((number * 31) + version);
        int Skewed(int count) => Math.Min(count - 1, (int)Math.Exp(random.NextDouble() * Math.Log(count + 1)) - 1);
        var json = new StringBuilder(700);
        void Put(string name, string value) => json.Append('"').Append(name).Append("\":\"").Append(value).Append("\",");
        void AddText(int field, string text)
        {
            entry.AddText(s_plain[field], text);
            Put(s_plain[field].Name, text);
        }

        void AddDate(int field, DateTime time)
        {
            string text = time.ToString("yyyy-MM-ddTHH:mm:ss.0000000Z", CultureInfo.InvariantCulture);
            entry.AddDate(s_plain[field], text, time.Ticks);
            Put(s_plain[field].Name, text);
        }

        entry.Reset(IdOf(number));
        AddText(0, "companies/" + (1 + random.Next(1000)));
        AddText(1, "employees/" + (1 + Skewed(50)));
        DateTime ordered = new DateTime(2015, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddSeconds(random.Next(10 * 365 * 86400));
        AddDate(2, ordered);
        AddDate(3, ordered.AddSeconds(random.Next(20 * 86400)));
        double freight = Math.Round(random.NextDouble() * 999, 2);
        entry.AddDouble(s_plain[4], freight, freight.ToString(CultureInfo.InvariantCulture));
        entry.AddLong(s_plain[5], number, number.ToString(CultureInfo.InvariantCulture));
        json.Append(CultureInfo.InvariantCulture, $"\"Freight\":{freight},\"Int\":{number},");
        AddText(6, "shippers/" + (1 + random.Next(3)));
        int city = random.Next(_cities.Length);
        AddText(7, _cities[city]);
        AddText(8, "country " + (city % 40));
        for (int line = 1 + random.Next(4); line > 0; line--)
        {
            int product = Skewed(_products.Length);
            AddText(9, _products[product]);
            json.Append(CultureInfo.InvariantCulture,
                $"{{\"Product\":\"products/{product}\",\"Price\":{product * 0.37:F2},\"Quantity\":{1 + (product % 50)}}},");
        }

        string note = string.Join(' ', Enumerable.Range(0, 6 + random.Next(10)).Select(_ => _words[Skewed(_words.Length)]));
        entry.AddText(s_note, note);
        Put("Note", note);
        double latitude = Math.Round((city % 130) - 65 + random.NextDouble(), 5);
        double longitude = Math.Round((city % 340) - 170 + random.NextDouble(), 5);
        entry.AddSpatial(s_place, string.Create(CultureInfo.InvariantCulture, $"POINT ({longitude} {latitude})"));
        json.Append(CultureInfo.InvariantCulture, $"\"Location\":{{\"Latitude\":{latitude},\"Longitude\":{longitude}}}");
        return Encoding.UTF8.GetByteCount(json.ToString()) + 2;
    }
}
