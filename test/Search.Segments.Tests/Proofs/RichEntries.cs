using System.Globalization;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Tests;

namespace Jackdaw.Search.Segments.Tests.Proofs;

/// <summary>Entries that together need every kind of part that a segment can have.</summary>
internal static class RichEntries
{
    public static readonly IndexField Few = new("Few") { IsStored = true };
    public static readonly IndexField Many = new("Many");
    public static readonly IndexField Text = new("Text") { Indexing = IndexingMode.Text, IsStored = true };
    public static readonly IndexField Whole = new("Whole");
    public static readonly IndexField Broken = new("Broken");
    public static readonly IndexField Mixed = new("Mixed");
    public static readonly IndexField Date = new("Date");
    public static readonly IndexField DateOrText = new("DateOrText");
    public static readonly IndexField Sparse = new("Sparse");
    public static readonly IndexField Place = new("Place") { Spatial = new SpatialSettings() };
    public static readonly IndexField Vector = new("Vector") { Vector = new VectorSettings() };
    public static readonly IndexField Long = new("Long");

    public static IndexFields Fields => new([Few, Many, Text, Whole, Broken, Mixed, Date, DateOrText, Sparse, Place, Vector, Long]);

    /// <summary>Writes one batch.</summary>
    /// <param name="first">The number of the first entry.</param>
    /// <param name="isWide">Whether entries have all fields; else only those that are cheap.</param>
    public static void Write(SearchIndex index, int first, int count, bool isWide = true)
    {
        var entry = new IndexEntry();
        using IndexBatch batch = index.BeginBatch();
        for (int i = first; i < first + count; i++)
        {
            for (int row = 0; row < (isWide && i % 50 == 7 ? 3 : 1); row++)
            {
                entry.Reset(IdOf(i));
                Fill(entry, i, row, isWide);
                batch.Add(entry);
            }
        }

        batch.Commit();
    }

    public static string IdOf(int number) => string.Create(CultureInfo.InvariantCulture, $"orders/{number}-{(char)('A' + (number % 3))}");

    private static void Fill(IndexEntry entry, int i, int row, bool isWide)
    {
        entry.AddText(Few, "group" + (i % 4));
        entry.AddStored(Few, new byte[] { (byte)'s', (byte)('0' + (i % 10)) });
        entry.AddLong(Whole, (i * 37L) % 1009, ((i * 37L) % 1009).ToString(CultureInfo.InvariantCulture));
        entry.AddText(Many, string.Create(CultureInfo.InvariantCulture, $"shared prefix {i}"));
        if (!isWide)
        {
            return;
        }

        entry.AddText(Many, "every" + (i % 3 == 0 ? "third" : "other"));
        entry.AddText(Text, TextOf(i));
        entry.AddDouble(Broken, (i % 97) / 8.0, ((i % 97) / 8.0).ToString(CultureInfo.InvariantCulture));
        entry.AddLong(Mixed, i % 11, (i % 11).ToString(CultureInfo.InvariantCulture));
        entry.AddDouble(Mixed, 0.5 + (i % 5), (0.5 + (i % 5)).ToString(CultureInfo.InvariantCulture));
        DateTime date = new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddHours(i * 7 % 5000);
        entry.AddDate(Date, date.ToString("O", CultureInfo.InvariantCulture), date.Ticks);
        if (i % 2 == 0)
        {
            entry.AddDate(DateOrText, date.ToString("O", CultureInfo.InvariantCulture), date.Ticks);
        }
        else
        {
            entry.AddText(DateOrText, "later" + (i % 20));
        }

        FillRare(entry, i, row);
    }

    private static void FillRare(IndexEntry entry, int i, int row)
    {
        switch (i % 5)
        {
            case 0:
                entry.AddNull(Sparse);
                break;
            case 1:
                entry.AddEmpty(Sparse);
                break;
            case 2:
                entry.AddText(Sparse, "x" + row);
                break;
        }

        if (i % 2 == 0)
        {
            entry.AddSpatial(Place, string.Create(CultureInfo.InvariantCulture, $"POINT({(i * 13 % 340) - 170} {(i * 7 % 160) - 80})"));
        }

        if (i % 20 == 3)
        {
            entry.AddSpatial(Place, "POLYGON((0 0, 10 0, 10 10, 0 10, 0 0))");
        }

        if (i % 3 == 0)
        {
            AddNode(entry, (uint)(i % 64));
            if (i % 9 == 0)
            {
                AddNode(entry, (uint)(i % 50) + 100);
            }
        }

        if (i % 60 == 11)
        {
            entry.AddText(Long, new string((char)('a' + (i % 7)), 9000) + i);
        }

        entry.Boost = i % 7 == 0 ? 2.5f + (i % 3) : 1;
        if (i % 11 == 0)
        {
            entry.BoostField(Few, 3);
        }
    }

    private static void AddNode(IndexEntry entry, uint node)
    {
        entry.AddVector(Vector, new float[] { 1 });
        entry.SetNode(entry.Values.Count - 1, node);
    }

    // One word in each text, one in most of them, some again and again, some in few.
    private static string TextOf(int i) => string.Create(
        CultureInfo.InvariantCulture,
        $"the quick {(i % 5 == 0 ? "brown" : "red red red")} fox{i % 150} jumps over {(i % 2 == 0 ? "lazy dogs" : "dogs lazy")} word{i}");
}
