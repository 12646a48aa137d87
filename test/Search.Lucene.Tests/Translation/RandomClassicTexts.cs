namespace Jackdaw.Search.Lucene.Tests.Translation;

/// <summary>Texts in the classic query syntax from a seed; some cannot be read.</summary>
internal sealed class RandomClassicTexts(int seed)
{
    private static readonly string[] s_words = ["anna", "Bob", "carl", "ann", "bobby", "the", "x1", "wi-fi", "2", "3.5"];

    private readonly Random _random = new(seed);

    public static string Word(Random random) => s_words[random.Next(s_words.Length)];

    public string Next()
    {
        string text = Clauses(3);
        return _random.Next(12) == 0 ? Damaged(text) : text;
    }

    private string Clauses(int depth)
    {
        string text = Clause(depth);
        for (int more = _random.Next(4); more > 0; more--)
        {
            text += Pick(" ", " ", " ", " ", " AND ", " OR ", " && ", " || ", " AND NOT ") + Clause(depth);
        }

        return text;
    }

    private string Clause(int depth)
    {
        string sign = Pick("", "", "", "", "+", "-", "!", "NOT ");
        string field = Pick("", "", "", "", "K:", "W:", "N:", "Missing:");
        string boost = Pick("", "", "", "", "", "^2", "^0.5", "^0");
        return sign + field + (depth > 0 && _random.Next(4) == 0 ? $"({Clauses(depth - 1)})" : Part()) + boost;
    }

    private string Part() => _random.Next(16) switch
    {
        0 => $"\"{Word()} {Word()}\"" + Pick("", "~1", "~3"),
        1 => $"\"{Word()}\"",
        2 => Word() + "*",
        3 => "*" + Word()[1..] + Pick("", "*"),
        4 => Pick("a?n*", "b*", "*", "?", "**", "b\\*"),
        5 => Word() + Pick("~", "~1", "~2", "~0.5", "~0.8", "~3"),
        6 => Pick("/a.*/", "/bob/", "/[ab].+/", "/(a)\\1/"),
        7 => Pick("[", "{") + End() + " TO " + End() + Pick("]", "}"),
        8 => Word().Insert(1, "\\"),
        _ => Word(),
    };

    private string End() => Pick("*", "anna", "bob", "1", "3.5", "2");

    private string Damaged(string text) => text.Insert(_random.Next(text.Length + 1), Pick("(", ")", "\"", "[", "^", "~", ":", "\\", "/", "AND"));

    private string Word() => Word(_random);

    private string Pick(params string[] all) => all[_random.Next(all.Length)];
}
