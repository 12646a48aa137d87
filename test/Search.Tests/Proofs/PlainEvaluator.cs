using System.Text;
using System.Text.RegularExpressions;
using Jackdaw.Search.Analysis.Reading;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Tests.Proofs;

/// <summary>Runs searches by a loop over all entries, as the contract says it; shares with the engine only the reading of classic texts.</summary>
internal sealed class PlainEvaluator(IReadOnlyList<PlainEntry> entries)
{
    private const int ValueGap = 1000;

    private static readonly HashSet<string> s_stopWords =
    [
        .. ("a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will "
            + "with").Split(' '),
    ];

    public List<PlainEntry> Find(SearchNode node)
    {
        bool[] found = Evaluate(node);
        return [.. entries.Where((_, i) => found[i])];
    }

    public IEnumerable<PlainEntry> Sort(IEnumerable<PlainEntry> found, IReadOnlyList<SortKey> keys)
    {
        IOrderedEnumerable<PlainEntry> order = found.OrderBy(_ => 0);
        foreach (SortKey key in keys)
        {
            order = order.ThenBy(entry => entry, Comparer<PlainEntry>.Create((a, b) => Compare(key, a, b)));
        }

        return order;
    }

    /// <summary>The terms of a field of an entry, with their positions.</summary>
    public static List<(string Term, int Position)> Terms(PlainEntry entry, string field)
    {
        List<(string, int)> terms = [];
        int next = 0;
        foreach (EntryValue value in entry.Of(field).Where(value => value.Text is not null))
        {
            if (value.Kind != EntryValueKind.Text || !IsText(value.Field))
            {
                terms.Add((Form(value.Field, value.Text!), next));
                next += 1 + ValueGap;
                continue;
            }

            List<(string Term, int Position)> words = Words(value.Field, value.Text!);
            terms.AddRange(words.Select(word => (word.Term, next + word.Position)));
            next += ValueGap + 1 + (words.Count == 0 ? 0 : words[^1].Position) + 100;
        }

        return terms;
    }

    private bool[] Evaluate(SearchNode node)
    {
        switch (node)
        {
            case AndNode and:
                List<bool[]> all = [.. and.Nodes.Select(Evaluate)];
                return [.. entries.Select((_, i) => all.TrueForAll(one => one[i]))];
            case OrNode or:
                List<bool[]> any = [.. or.Nodes.Select(Evaluate)];
                return [.. entries.Select((_, i) => any.Exists(one => one[i]))];
            case OptionalNode:
                return [.. entries.Select(_ => true)];
            case NotNode not:
                return [.. Evaluate(not.Node).Select(one => !one)];
            case BoostNode boost:
                return Evaluate(boost.Node);
            case ClassicQueryNode text:
                return Evaluate(ClassicQuery.Parse(text, RandomSearches.Fields));
            case IntersectNode intersect:
                List<HashSet<string>> ids = [.. intersect.Nodes.Select(Evaluate)
                    .Select(found => entries.Where((_, i) => found[i]).Select(entry => entry.Id).ToHashSet())];
                return [.. entries.Select(entry => ids.TrueForAll(one => one.Contains(entry.Id)))];
            default:
                return [.. entries.Select(entry => Matches(node, entry))];
        }
    }

    private static bool Matches(SearchNode node, PlainEntry entry) => node switch
    {
        AllNode => true,
        NoneNode => false,
        TermNode term => Equal(entry, term.Field, term.Value),
        InNode list => list.Values.Any(value => Equal(entry, list.Field, value)),
        AllInNode list => list.Values.All(value => Equal(entry, list.Field, value)),
        RangeNode range => InRange(entry, range),
        PrefixNode prefix => AnyTerm(entry, prefix.Field, term => term.StartsWith(Form(prefix.Field, prefix.Text), StringComparison.Ordinal)),
        SuffixNode suffix => AnyTerm(entry, suffix.Field, term => term.EndsWith(Form(suffix.Field, suffix.Text), StringComparison.Ordinal)),
        ContainsNode part => AnyTerm(entry, part.Field, term => term.Contains(Form(part.Field, part.Text), StringComparison.Ordinal)),
        WildcardNode pattern => AnyTerm(entry, pattern.Field, term => Wildcard(Form(pattern.Field, pattern.Pattern), term, pattern.HasSingle)),
        RegexNode regex => AnyTerm(entry, regex.Field, term => Regex.IsMatch(term, regex.Pattern)),
        FuzzyNode fuzzy => AnyTerm(entry, fuzzy.Field, term => IsNear(Form(fuzzy.Field, fuzzy.Text), term, fuzzy.Similarity)),
        NearNode near => AnyTerm(entry, near.Field, term => Distance(Form(near.Field, near.Text), term) <= near.Edits),
        FullTextNode text => FullText(entry, text),
        PhraseNode phrase => IsPhrase(Terms(entry, phrase.Field), [.. phrase.Words.Select(word => (word.Term, word.Position))], phrase.Slop),
        ExistsNode exists => entry.Of(exists.Field).Any(),
        _ => throw new NotSupportedException(node.GetType().Name),
    };

    private static bool IsText(IndexField field) => field.Indexing == IndexingMode.Text;

    // The fields of the proofs say by their first letter what they are.
    private static string Form(string field, string text) => field[0] is 'E' or 'W' ? text : text.ToLowerInvariant();

    private static string Form(IndexField field, string text) => Form(field.Name, text);

    private static List<(string Term, int Position)> Words(IndexField field, string text)
    {
        IEnumerable<string> words = field.Name[0] == 'W'
            ? text.Split(' ', StringSplitOptions.RemoveEmptyEntries)
            : Regex.Matches(text, @"[\p{L}\p{Nd}]+").Select(word => word.Value.ToLowerInvariant());
        return [.. words.Where(word => field.Name[0] == 'W' || !s_stopWords.Contains(word)).Select((word, i) => (word, i))]; // a stop word leaves no gap
    }

    private static bool AnyTerm(PlainEntry entry, string field, Func<string, bool> matches) =>
        Terms(entry, field).Any(term => matches(term.Term));

    private static bool Equal(PlainEntry entry, string field, SearchValue value) => value switch
    {
        NullValue => entry.Of(field).Any(found => found.Kind == EntryValueKind.Null),
        TextValue text => HasTerm(entry, field, text.Text),
        BooleanValue boolean => HasTerm(entry, field, boolean.Value ? "true" : "false"),
        LongValue number => HasTerm(entry, field, number.Text) || Numbers(entry, field).Any(found => Compare(found, number) == 0),
        DoubleValue number => HasTerm(entry, field, number.Text) || Numbers(entry, field).Any(found => Compare(found, number) == 0),
        DateValue date => HasTerm(entry, field, date.Text) || entry.Of(field).Any(found => found.Kind == EntryValueKind.Date && found.Long == date.Ticks),
        _ => throw new NotSupportedException(),
    };

    private static bool HasTerm(PlainEntry entry, string field, string text) => AnyTerm(entry, field, term => term == Form(field, text));

    private static IEnumerable<SearchValue> Numbers(PlainEntry entry, string field) => entry.Of(field)
        .Where(value => value.Kind is EntryValueKind.Long || (value.Kind == EntryValueKind.Double && !double.IsNaN(value.Double)))
        .Select(value => value.Kind == EntryValueKind.Long ? (SearchValue)new LongValue(value.Long, "") : new DoubleValue(value.Double, ""));

    private static bool InRange(PlainEntry entry, RangeNode range)
    {
        if (range.Kind == RangeKind.Text)
        {
            return AnyTerm(entry, range.Field, term =>
                (range.Low is not TextValue low || IsAbove(Utf8Order(term, Form(range.Field, low.Text)), range.IncludesLow))
                && (range.High is not TextValue high || IsAbove(-Utf8Order(term, Form(range.Field, high.Text)), range.IncludesHigh)));
        }

        if (range.Low is DateValue || range.High is DateValue)
        {
            return entry.Of(range.Field).Where(value => value.Kind == EntryValueKind.Date).Any(value =>
                (range.Low is not DateValue low || IsAbove(value.Long.CompareTo(low.Ticks), range.IncludesLow))
                && (range.High is not DateValue high || IsAbove(-value.Long.CompareTo(high.Ticks), range.IncludesHigh)));
        }

        return Numbers(entry, range.Field).Any(number =>
            (range.Low is null || IsAbove(Compare(number, range.Low), range.IncludesLow))
            && (range.High is null || IsAbove(-Compare(number, range.High), range.IncludesHigh)));
    }

    private static bool IsAbove(int order, bool orEqual) => order > 0 || (order == 0 && orEqual);

    private static int Utf8Order(string a, string b) => Encoding.UTF8.GetBytes(a).AsSpan().SequenceCompareTo(Encoding.UTF8.GetBytes(b));

    private static int Compare(SearchValue a, SearchValue b) => (a, b) switch
    {
        (LongValue x, LongValue y) => x.Value.CompareTo(y.Value),
        (DoubleValue x, DoubleValue y) => x.Value == y.Value ? 0 : x.Value.CompareTo(y.Value),
        (DoubleValue, LongValue) => -Compare(b, a),
        (LongValue x, DoubleValue y) => y.Value >= 9223372036854775808.0 ? -1
            : y.Value < -9223372036854775808.0 ? 1
            : x.Value != (long)y.Value ? x.Value.CompareTo((long)y.Value) : 0.0.CompareTo(y.Value - Math.Truncate(y.Value)),
        _ => throw new NotSupportedException(),
    };

    private static bool Wildcard(string pattern, string term, bool hasSingle) => Regex.IsMatch(
        term,
        "^" + string.Concat(pattern.Select(c => c == '*' ? ".*"
            : c == '?' && hasSingle ? "(?:[\ud800-\udbff][\udc00-\udfff]|.)" : Regex.Escape(c.ToString()))) + "$",
        RegexOptions.Singleline);

    private static bool IsNear(string text, string term, float similarity)
    {
        int length = text.EnumerateRunes().Count();
        return length == 0 ? term.Length == 0 : Math.Round(1 - ((decimal)Distance(text, term) / length), 5) >= Math.Round((decimal)similarity, 5);
    }

    private static int Distance(string text, string term)
    {
        Rune[] a = [.. text.EnumerateRunes()], b = [.. term.EnumerateRunes()];
        int[,] d = new int[a.Length + 1, b.Length + 1];
        for (int i = 0; i <= a.Length; i++)
        {
            for (int j = 0; j <= b.Length; j++)
            {
                d[i, j] = i == 0 ? j : j == 0 ? i
                    : Math.Min(Math.Min(d[i - 1, j], d[i, j - 1]) + 1, d[i - 1, j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1));
            }
        }

        return d[a.Length, b.Length];
    }

    private static bool FullText(PlainEntry entry, FullTextNode node)
    {
        List<(string Term, int Position)> terms = Terms(entry, node.Field);
        if (node.Slop is { } slop)
        {
            return IsPhrase(terms, WordsOf(node.Field, node.Text), slop);
        }

        List<bool> found = [];
        foreach (string word in Split(node.Text))
        {
            if (word.Contains('*', StringComparison.Ordinal))
            {
                string form = Form(node.Field, word);
                found.Add(form.All(c => c == '*') ? entry.Of(node.Field).Any() : terms.Any(term => Wildcard(form, term.Term, hasSingle: false)));
            }
            else if (WordsOf(node.Field, word) is { Count: > 0 } words)
            {
                found.Add(IsPhrase(terms, words, 0));
            }
        }

        return found.Count > 0 && (node.Operator == WordOperator.And ? found.TrueForAll(one => one) : found.Exists(one => one));
    }

    private static List<(string Term, int Position)> WordsOf(string field, string text) => field[0] is 'T' or 'W'
        ? Words(new IndexField(field) { Indexing = IndexingMode.Text }, text)
        : [(Form(field, text), 0)];

    private static IEnumerable<string> Split(string text) => Regex.Matches(text, "\"([^\"]*)\"|[^\" ]+").Select(word =>
        word.Groups[1].Success ? word.Groups[1].Value : word.Value).Where(word => word.Length > 0);

    // All words, so that their places, each less its place in the phrase, are at most the slop apart.
    private static bool IsPhrase(List<(string Term, int Position)> terms, List<(string Term, int Position)> words, int slop)
    {
        bool Place(int word, int least, int most) => most - least <= slop && (word == words.Count || terms.Any(term =>
            term.Term == words[word].Term
            && Place(word + 1, Math.Min(least, term.Position - words[word].Position), Math.Max(most, term.Position - words[word].Position))));
        return words.Count > 0 && terms.Any(term => term.Term == words[0].Term
            && Place(1, term.Position - words[0].Position, term.Position - words[0].Position));
    }

    private static int Compare(SortKey key, PlainEntry a, PlainEntry b)
    {
        bool nullsFirst = key.Nulls == NullOrder.First || (key.Nulls == NullOrder.Smallest && !key.IsDescending);
        object? x = ValueOf(key, a), y = ValueOf(key, b);
        if (x is null || y is null)
        {
            return x is null && y is null ? 0 : (x is null) == nullsFirst ? -1 : 1;
        }

        int order = (x, y) switch
        {
            (string s, string t) when key.By == SortBy.AlphaNumeric => Natural(s, t),
            (string s, string t) => Utf8Order(s, t),
            (long s, long t) => s.CompareTo(t),
            (SearchValue s, SearchValue t) => Compare(s, t),
            _ => throw new NotSupportedException(),
        };
        return key.IsDescending ? -order : order;
    }

    private static object? ValueOf(SortKey key, PlainEntry entry)
    {
        if (key.By == SortBy.Id)
        {
            return entry.Id;
        }

        if (key.By is SortBy.Text or SortBy.AlphaNumeric)
        {
            EntryValue first = entry.Of(key.Field).FirstOrDefault(value => value.Text is not null);
            return first.Text is null ? null
                : Form(key.Field, first.Kind == EntryValueKind.Date ? new DateTime(first.Long, DateTimeKind.Utc).ToString("O") : first.Text);
        }

        EntryValue number = entry.Of(key.Field).FirstOrDefault(value =>
            value.Kind is EntryValueKind.Long or EntryValueKind.Date || (value.Kind == EntryValueKind.Double && !double.IsNaN(value.Double)));
        return number.Field is null ? null
            : key.By == SortBy.Long ? number.Kind == EntryValueKind.Double ? ToLong(number.Double) : number.Long
            : number.Kind == EntryValueKind.Double ? new DoubleValue(number.Double, "") : new LongValue(number.Long, "");
    }

    private static long ToLong(double value) => value >= 9223372036854775808.0 ? long.MaxValue : value <= -9223372036854775808.0 ? long.MinValue : (long)value;

    // Every run of digits as a number of fifty digits: then the order of texts is that of the numbers.
    private static int Natural(string a, string b)
    {
        static string Key(string text) => Regex.Replace(text, "[0-9]+", digits => digits.Value.TrimStart('0').PadLeft(50, '0'));
        int order = Utf8Order(Key(a), Key(b));
        return order != 0 ? order
            : Regex.Matches(a, "[0-9]+").Zip(Regex.Matches(b, "[0-9]+")).Select(pair => pair.First.Length.CompareTo(pair.Second.Length))
                .FirstOrDefault(lengths => lengths != 0);
    }
}
