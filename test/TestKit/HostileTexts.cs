using System.Diagnostics;
using System.Text;
using Xunit;

namespace Jackdaw.TestKit;

/// <summary>Handles hostile texts of one kind and says what was wrong with it: an exception that is not documented, too much time, too much
/// memory.</summary>
/// <param name="kind">Names it in messages.</param>
/// <param name="corpus">Good texts, from which others are made.</param>
/// <param name="take">Reads a text as the product does.</param>
/// <param name="isDocumented">Whether a text may be refused with this exception.</param>
/// <param name="hasOwnThread">Whether another thread does the work. All of the process is measured then, and nothing else may run beside it.</param>
public sealed class HostileTexts(string kind, string[] corpus, Action<string> take, Func<Exception, bool> isDocumented, bool hasOwnThread = false)
{
    /// <summary>Far above what any of them takes, on a busy machine too.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    /// <summary>Bytes that one text may take, altogether: the compilers make many short-lived objects.</summary>
    private const long AllocatedBytesMax = 1L << 30;

    private static readonly string[] s_pieces =
    [
        "(", ")", "[", "]", "{", "}", "'", "\"", "\"\"\"", "$\"", "=>", "x => x", "..", "?", "??", "?.", ",", ";", "//", "/*", "*/", "\n", "\0",
        "\uD800", "日", "9e999", "-1", "0x", "1_0", "<", ">", "<<", ">>=", "@", "#if", "\\u0041", "new", "new { A = o }", "select", "from x in o",
        "group", "let", "while (true) { }", "null", "this", "base", "typeof(int)", "async", "await ", "yield return", "ref ", "function", "class A { }",
        "...", "`${", "/a+/", "NaN", "POINT", "EMPTY", "POLYGON((", "d=", "sum(", "count()", "$p", "not ", " and ", "or", "group by", ".Select(o => ",
    ];

    /// <summary>How many texts were taken.</summary>
    public int Taken { get; private set; }

    /// <summary>A text with one of its parts repeated, more often each time.</summary>
    public void RunNested(string before, string repeated, string behind)
    {
        foreach (int count in (int[])[300, 5000, 100_000])
        {
            string text = before + new StringBuilder().Insert(0, repeated, count) + behind;
            if (Try(text) is { } problem)
            {
                Assert.Fail($"{kind}, {count} times '{repeated}': {problem}");
            }
        }
    }

    /// <summary>Texts mutated at random.</summary>
    public void Run(Action<string> write, int seed, int texts)
    {
        write($"{kind}, seed {seed}");
        var random = new Random(seed);
        for (int i = 0; i < texts; i++)
        {
            string text = Mutate(random, Pick(random, corpus));
            string? problem = Try(text);
            Assert.True(problem is null, $"{kind}, seed {seed}, text {i}: {problem}\n{text}");
        }

        write($"{Taken} of {texts} were taken");
        Assert.True(texts < 1000 || Taken > 0, "all were refused: the mutations are too wild to say anything"); // of a hundred that happens by chance
    }

    /// <summary>What is wrong with how the text was handled; null when nothing is.</summary>
    public string? Try(string text)
    {
        var watch = Stopwatch.StartNew();
        long before = AllocatedBytes();
        try
        {
            take(text);
            Taken++;
        }
        catch (Exception refused) when (isDocumented(refused))
        {
            // As it should be.
        }
        catch (Exception other)
        {
            return other.ToString();
        }

        long allocated = AllocatedBytes() - before;
        return watch.Elapsed > s_patience ? $"took {watch.Elapsed}" : allocated > AllocatedBytesMax ? $"took {allocated >> 20} MB" : null;
    }

    private long AllocatedBytes() => hasOwnThread ? GC.GetTotalAllocatedBytes(precise: true) : GC.GetAllocatedBytesForCurrentThread();

    private string Mutate(Random random, string text)
    {
        var made = new StringBuilder(text);
        for (int i = random.Next(0, 4); i >= 0; i--)
        {
            int at = random.Next(made.Length + 1);
            int length = Math.Min(random.Next(1, 12), made.Length - at);
            switch (random.Next(5))
            {
                case 0:
                    made.Remove(at, length);
                    break;
                case 1:
                    made.Insert(at, Pick(random, s_pieces));
                    break;
                case 2:
                    string part = made.ToString(at, length);
                    made.Insert(random.Next(made.Length + 1), part);
                    break;
                case 3:
                    string other = Pick(random, corpus);
                    int from = random.Next(other.Length);
                    made.Insert(at, other.AsSpan(from, Math.Min(random.Next(1, 40), other.Length - from)));
                    break;
                default:
                    made.Insert(at, Pick(random, s_pieces), random.Next(1, 60));
                    break;
            }
        }

        return made.ToString();
    }

    private static T Pick<T>(Random random, T[] values) => values[random.Next(values.Length)];
}
