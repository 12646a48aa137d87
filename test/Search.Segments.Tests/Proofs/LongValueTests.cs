using System.Globalization;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Xunit.Abstractions;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Segments.Tests.Proofs;

/// <summary>Many fields, long terms and long texts.</summary>
public sealed class LongValueTests(ITestOutputHelper output)
{
    private static readonly IndexField s_text = new("Text") { Indexing = IndexingMode.Text, IsStored = true };
    private static readonly IndexField s_exact = new("Exact") { Indexing = IndexingMode.Exact };
    private static readonly IndexFields s_fields = new([s_text, s_exact]);

    [Theory]
    [InlineData(10_000, 3)]
    public void Fields_TenThousand_AreSearchedEach(int fields, int each) => FillFields(fields, each);

    [Fact]
    [Trait("Tier", "Full")]
    public void Fields_TenThousandInManySegments_AreSearchedEach() => FillFields(10_000, 60);

    [Fact]
    public void Terms_Of32Kilobytes_AreFoundByAllThatTheyAre() => FillTerms(40);

    [Fact]
    [Trait("Tier", "Full")]
    public void Terms_ManyOf32Kilobytes_AreFoundByAllThatTheyAre() => FillTerms(3_000);

    [Fact]
    public void Texts_OfAMegabyte_AreFoundByEachOfTheirWords() => FillTexts(4);

    [Fact]
    [Trait("Tier", "Full")]
    public void Texts_ManyOfAMegabyte_AreFoundByEachOfTheirWords() => FillTexts(200);

    // Entry i has the fields from 50 * i on, round and round.
    private void FillFields(int fields, int each)
    {
        using var index = new LargeIndex(output, new IndexFields([]));
        int entries = fields * each / 50;
        IndexField[] all = [.. Enumerable.Range(0, fields).Select(i => new IndexField("Field" + i.ToString(CultureInfo.InvariantCulture)))];
        index.Write(Enumerable.Range(0, entries), 100, (entry, i) =>
        {
            for (int k = 0; k < 50; k++)
            {
                IndexField field = all[((50 * i) + k) % fields];
                if (k % 2 == 0)
                {
                    entry.AddText(field, "value" + i.ToString(CultureInfo.InvariantCulture));
                }
                else
                {
                    entry.AddLong(field, i, i.ToString(CultureInfo.InvariantCulture));
                }
            }
        });
        index.Print($"{entries} entries with 50 of {fields} fields are written");
        index.MaintainAll();
        index.Print("merges have ended");
        foreach (int number in new[] { 0, 1, 4_999, 5_000, fields - 1 })
        {
            string field = all[number].Name;
            int first = number / 50;
            Assert.Equal(each, index.Count(new ExistsNode(field)));
            string[] found = number % 2 == 0
                ? index.Find(new TermNode(field, new TextValue("value" + first.ToString(CultureInfo.InvariantCulture))), 10)
                : index.Find(new RangeNode(field, RangeKind.Long, null, false, new LongValue(first, ""), true), 10);
            Assert.Equal([$"orders/{first}"], found);
        }

        Assert.Equal(fields, index.Ask(searcher => searcher.ListFields().Count));
        index.Note($"a condition on one of the fields: {LargeIndex.Time(() => index.Count(new ExistsNode("Field77"))):F3} ms");
        Assert.Empty(index.Verify());
        index.Print("verified");
    }

    // Texts that begin with the same 20,000 letters, and end in different ones.
    private void FillTerms(int entries)
    {
        using var index = new LargeIndex(output, s_fields);
        index.Write(Enumerable.Range(0, entries), 200, (entry, i) => entry.AddText(s_exact, LongTerm(i)));
        index.MaintainAll();
        index.Print($"{entries} terms of 32 KB are written");
        string first = LongTerm(0);
        Assert.Equal(32 * 1024, first.Length);
        Assert.Equal(entries, index.Count(new PrefixNode("Exact", first[..20_000])));
        foreach (int i in new[] { 0, entries / 2, entries - 1 })
        {
            string whole = LongTerm(i);
            Assert.Equal([$"orders/{i}"], index.Find(new TermNode("Exact", new TextValue(whole)), 5));
            Assert.Equal([$"orders/{i}"], index.Find(new SuffixNode("Exact", whole[^40..]), 5));
            Assert.Equal([$"orders/{i}"], index.Find(new ContainsNode("Exact", whole[25_000..25_100]), 5));
            Assert.Empty(index.Find(new TermNode("Exact", new TextValue(whole[..^1])), 5));
        }

        Assert.Equal(Math.Min(entries, 10), index.Find(new AllNode(), 10, new SortKey(SortBy.Text, "Exact")).Distinct().Count());
        Assert.Empty(index.Verify());
        index.Print("verified");
    }

    private static string LongTerm(int i)
    {
        string number = "n" + i.ToString("D7", CultureInfo.InvariantCulture);
        return new string('x', 20_000) + string.Concat(Enumerable.Repeat(number, 1_596));
    }

    // Words of a text come from its number, so that each can be asked for.
    private void FillTexts(int texts)
    {
        const int words = 100_000;
        using var index = new LargeIndex(output, s_fields);
        string WordOf(int text, int word) => "w" + (((long)text * words) + word).ToString("D9", CultureInfo.InvariantCulture);
        index.Write(Enumerable.Range(0, texts), 4, (entry, i) => entry.AddText(
            s_text, string.Join(' ', Enumerable.Range(0, words).Select(word => word % 10 == 0 ? "same" : WordOf(i, word)))));
        index.MaintainAll();
        index.Print($"{texts} texts of a megabyte are written");
        Assert.Equal(texts, index.Count(new FullTextNode("Text", "same", WordOperator.Or)));
        foreach (int i in new[] { 0, texts - 1 })
        {
            foreach (int word in new[] { 1, words / 2 + 1, words - 1 })
            {
                Assert.Equal([$"orders/{i}"], index.Find(new FullTextNode("Text", WordOf(i, word), WordOperator.Or), 5));
            }

            string phrase = $"\"{WordOf(i, words - 3)} {WordOf(i, words - 2)} {WordOf(i, words - 1)}\"";
            Assert.Equal([$"orders/{i}"], index.Find(new FullTextNode("Text", phrase, WordOperator.And), 5));
            Assert.Empty(index.Find(new FullTextNode("Text", $"\"{WordOf(i, 3)} {WordOf(i, 1)}\"", WordOperator.And), 5));
            string stored = index.Ask(searcher => System.Text.Encoding.UTF8.GetString(searcher.ReadStored(i)[0].Utf8.Span));
            Assert.Equal(WordOf(i, words - 1), stored[^10..]);
        }

        var both = new FullTextNode("Text", "same w000000001", WordOperator.And);
        index.Note($"a word that is ten thousand times in each text: {LargeIndex.Time(() => index.Find(both, 5)):F2} ms");
        Assert.Empty(index.Verify());
        index.Print("verified");
    }
}
