using System.Globalization;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Tests.Proofs;

/// <summary>Entries, conditions and orders from a seed.</summary>
internal sealed class RandomSearches(int seed)
{
    public static readonly IndexField Keyword = new("K");
    public static readonly IndexField Exact = new("E") { Indexing = IndexingMode.Exact };
    public static readonly IndexField Text = new("T") { Indexing = IndexingMode.Text };
    public static readonly IndexField Spaced = new("W") { Indexing = IndexingMode.Text, Analyzer = "WhitespaceAnalyzer" };
    public static readonly IndexField Number = new("N");
    public static readonly IndexField Date = new("D");

    private static readonly string[] s_words =
        ["Anna", "anna", "BOB", "Ünïcode", "àb", "ÀB", "z2", "z10", "z010", "x\ud83d\ude00y", "the", "not", "жук", "", "q"];
    private static readonly string[] s_fields = ["K", "E", "T", "W", "N", "D", "Missing"];
    private static readonly double[] s_doubles =
        [0.5, -0.5, 1.5, -0.0, 1e300, -1e300, double.PositiveInfinity, double.NegativeInfinity, 9007199254740993e0, 3, 1e18, 0.1];
    private static readonly long[] s_longs = [0, 1, 2, 3, -1, (1L << 53) + 1, 1L << 53, -(1L << 53) - 1, long.MaxValue, long.MaxValue - 1, long.MinValue];

    private readonly Random _random = new(seed);

    public static IndexFields Fields => new([Keyword, Exact, Text, Spaced, Number, Date]);

    public int Next(int below) => _random.Next(below);

    public PlainEntry Entry(string id)
    {
        List<EntryValue> values = [];
        foreach (IndexField field in new[] { Keyword, Exact, Text, Spaced, Number, Date })
        {
            int count = _random.Next(6) switch { 0 => 0, 1 => 2, 2 => 3, _ => 1 };
            for (int i = 0; i < count; i++)
            {
                values.Add(Value(field));
            }
        }

        return new PlainEntry(id, values)
        {
            Boost = _random.Next(3) == 0 ? 0.5f + _random.Next(5) : 1,
            FieldBoosts = _random.Next(3) == 0
                ? new Dictionary<string, float> { [s_fields[_random.Next(6)]] = 0.25f + _random.Next(4) }
                : new Dictionary<string, float>(),
        };
    }

    public SearchNode Node(int depth)
    {
        if (depth > 0 && _random.Next(3) > 0)
        {
            return _random.Next(7) switch
            {
                6 => new AndNode([Node(depth - 1), new OptionalNode([Node(depth - 1), Node(depth - 1)])]),
                0 => new NotNode(Node(depth - 1)),
                1 or 2 => new AndNode([Node(depth - 1), Node(depth - 1), .. _random.Next(2) == 0 ? [Node(depth - 1)] : Array.Empty<SearchNode>()]),
                3 => new IntersectNode([Node(depth - 1), Node(depth - 1)]),
                4 => new BoostNode(Node(depth - 1), 0.5f + _random.Next(4)),
                _ => new OrNode([Node(depth - 1), Node(depth - 1)]),
            };
        }

        string field = s_fields[_random.Next(s_fields.Length)];
        return _random.Next(18) switch
        {
            0 => _random.Next(2) == 0 ? new AllNode() : new NoneNode(),
            1 => new ExistsNode(field),
            2 => new InNode(field, Several()),
            3 => new AllInNode(field, Several()),
            4 => new PrefixNode(field, Part()),
            5 => new SuffixNode(field, Part()),
            6 => new ContainsNode(field, Part()),
            7 => new WildcardNode(field, Pattern(), _random.Next(4) > 0),
            8 => new RegexNode(field, Pick("^a", "n+a$", "[0-9]{2}", "(a)\\1|b", "^.ï", "o|ü", "^$")),
            9 => _random.Next(2) == 0 ? new FuzzyNode(field, Word(), Pick(0.2f, 0.5f, 0.8f, 1f)) : new NearNode(field, Word(), _random.Next(5)),
            10 or 11 => new FullTextNode(Pick("T", "W", "T", "K"), Sentence(canQuote: true), Pick(WordOperator.Or, WordOperator.And)),
            12 => new FullTextNode(Pick("T", "W"), DifferentWords(), WordOperator.Or, _random.Next(5)),
            13 => Range(field),
            15 => new ClassicQueryNode(Pick("T", "W", "K"), Classic(2)),
            14 => Phrase(Pick("T", "W", "E")),
            _ => new TermNode(field, Searched()),
        };
    }

    public IReadOnlyList<SortKey> Order() => [.. Enumerable.Range(0, _random.Next(4)).Select(_ => new SortKey(
        Pick(SortBy.Text, SortBy.Long, SortBy.Double, SortBy.AlphaNumeric, SortBy.Id) is var by ? by : SortBy.Id,
        by == SortBy.Id ? "" : s_fields[_random.Next(s_fields.Length)],
        _random.Next(2) == 0,
        by == SortBy.Id ? NullOrder.Smallest : Pick(NullOrder.Smallest, NullOrder.First, NullOrder.Last)))];

    private T Pick<T>(params T[] all) => all[_random.Next(all.Length)];

    // The same word twice at a distance is a riddle of its own: which place belongs to which?
    private string DifferentWords() => string.Join(
        ' ', s_words.Where(word => word is not ("anna" or "ÀB")).OrderBy(_ => _random.Next()).Take(2 + _random.Next(2)));

    private string Classic(int depth) => string.Join(' ', Enumerable.Range(0, 1 + _random.Next(3)).Select(_ => ClassicPart(depth)));

    private string ClassicPart(int depth)
    {
        string part = depth > 0 && _random.Next(3) == 0
            ? $"({Classic(depth - 1)})"
            : Pick("", "", "E:") + Pick("anna", "BOB", "z2", "q", "the", "Anna*", "*0", "bab~1", "ann~0.5", "\"bob anna\"~2", "/z.*/", "[a TO c}", "*");
        return Pick("", "", "+", "-") + part + Pick("", "", "^2");
    }

    // Terms of the index, which no analyzer sees any more.
    private PhraseNode Phrase(string field)
    {
        IEnumerable<string> words = s_words.Except(["", "the", "not", "q"]).Select(word => field == "T" ? word.ToLowerInvariant() : word).Distinct();
        int count = field == "E" ? 1 : 1 + _random.Next(3);
        return new(
            field,
            [.. words.OrderBy(_ => _random.Next()).Take(count).Select((word, i) => new PhraseWord(word, i * (1 + _random.Next(2))))],
            _random.Next(4));
    }

    private string Word() => s_words[_random.Next(s_words.Length)];

    private string Part() => Word() is { Length: > 1 } word && !char.IsSurrogate(word[1]) && _random.Next(2) == 0 ? word[..1] : Word();

    private string Pattern() => _random.Next(6) switch
    {
        0 => Word() + "*",
        1 => "*" + Word(),
        2 => "?" + (Word() is { Length: > 0 } word && !char.IsSurrogate(word[0]) ? word[1..] : ""),
        3 => "z?*",
        4 => "x?y",
        _ => "*n*a*",
    };

    private string Sentence(bool canQuote)
    {
        List<string> words = [.. Enumerable.Range(0, 1 + _random.Next(4)).Select(_ => Word())];
        if (canQuote && _random.Next(3) == 0)
        {
            words.Add($"\"{Word()} {Word()}\"");
        }

        if (canQuote && _random.Next(4) == 0)
        {
            words.Add(Pick("an*", "*b", "*n*", "*", "a*a", "?n*", "*n?*"));
        }

        return string.Join(' ', words);
    }

    private EntryValue Value(IndexField field) => _random.Next(10) switch
    {
        0 => new EntryValue(EntryValueKind.Null, field),
        1 => new EntryValue(EntryValueKind.Empty, field),
        2 => Boolean(field),
        3 or 4 when field != Date => Numeric(field),
        _ when field == Number => Numeric(field),
        _ when field == Date => Dated(field),
        _ => new EntryValue(EntryValueKind.Text, field, field.Indexing == IndexingMode.Text ? Sentence(canQuote: false) : Word()),
    };

    private EntryValue Boolean(IndexField field) => new(EntryValueKind.Boolean, field, Pick("true", "false"));

    private EntryValue Numeric(IndexField field)
    {
        if (_random.Next(2) == 0)
        {
            long value = s_longs[_random.Next(s_longs.Length)];
            return new EntryValue(EntryValueKind.Long, field, value.ToString(CultureInfo.InvariantCulture), value, value);
        }

        double number = s_doubles[_random.Next(s_doubles.Length)];
        return new EntryValue(EntryValueKind.Double, field, number.ToString("R", CultureInfo.InvariantCulture), 0, number);
    }

    private EntryValue Dated(IndexField field)
    {
        DateTime date = new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddDays(_random.Next(5)).AddTicks(_random.Next(3));
        string text = date.Ticks % TimeSpan.TicksPerDay == 0 && _random.Next(2) == 0
            ? date.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture) : date.ToString("O", CultureInfo.InvariantCulture);
        return new EntryValue(EntryValueKind.Date, field, text, date.Ticks);
    }

    private SearchValue[] Several() => [.. Enumerable.Range(0, _random.Next(4)).Select(_ => Searched())];

    private SearchValue Searched() => _random.Next(6) switch
    {
        0 => new NullValue(),
        1 => new BooleanValue(_random.Next(2) == 0),
        2 => ToSearch(Numeric(Number)),
        3 => ToSearch(Dated(Date)),
        _ => new TextValue(Word()),
    };

    private static SearchValue ToSearch(EntryValue value) => value.Kind switch
    {
        EntryValueKind.Long => new LongValue(value.Long, value.Text!),
        EntryValueKind.Double => new DoubleValue(value.Double, value.Text!),
        _ => new DateValue(value.Text!, value.Long),
    };

    private RangeNode Range(string field)
    {
        RangeKind kind = Pick(RangeKind.Text, RangeKind.Double, RangeKind.Long);
        bool isDate = kind == RangeKind.Long && _random.Next(2) == 0;
        SearchValue End() => kind == RangeKind.Text ? new TextValue(Word()) : ToSearch(isDate ? Dated(Date) : Numeric(Number));
        return new RangeNode(field, kind, _random.Next(4) == 0 ? null : End(), _random.Next(2) == 0, _random.Next(4) == 0 ? null : End(), _random.Next(2) == 0);
    }
}
