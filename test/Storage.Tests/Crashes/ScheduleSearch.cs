using System.Globalization;

namespace Jackdaw.Storage.Tests.Crashes;

/// <summary>Goes through the orders in which threads can take their steps, those with the fewest delays first, the rest by chance.</summary>
/// <remarks>Without a delay a thread runs as long as it can, and then the next one in the circle does; all circles are tried. Each run repeats
/// an earlier one up to a choice and chooses another thread there: that is a delay.</remarks>
internal sealed class ScheduleSearch
{
    /// <summary>Looks at the threads before a repeated choice is given up: a thread is late, or the run went another way.</summary>
    private const int LooksMax = 20;

    private readonly PriorityQueue<Beginning, (int Delays, int Chance)> _open = new();
    private readonly Random _random;
    private readonly int _delaysMax;
    private readonly List<string> _taken = [];
    private Beginning _beginning = new([], [], 0);
    private int _looks;
    private bool _isLost;

    /// <param name="threads">Names of the threads.</param>
    /// <param name="delaysMax">Orders with more are left out.</param>
    /// <param name="seed">Decides which come first among those with as many delays.</param>
    public ScheduleSearch(string[] threads, int delaysMax, int seed)
    {
        _delaysMax = delaysMax;
        _random = new Random(seed);
        foreach (string[] circle in Permute(threads))
        {
            _open.Enqueue(new Beginning(circle, [], 0), (0, _random.Next()));
        }
    }

    private ScheduleSearch(Beginning only)
    {
        _random = new Random(0);
        _delaysMax = -1;
        _open.Enqueue(only, (0, 0));
    }

    /// <summary>Runs so far.</summary>
    public int Runs { get; private set; }

    /// <summary>Runs that could not repeat their beginning: the committer's thread looks at the clock.</summary>
    public int Lost { get; private set; }

    /// <summary>Orders that are known and were not run.</summary>
    public int Open => _open.Count;

    /// <summary>Delays of the present order.</summary>
    public int Delays => _beginning.Delays;

    /// <summary>The choices of the present run, to be read by people and by <see cref="Parse"/>.</summary>
    public string Taken
    {
        get
        {
            List<string> parts = [];
            for (int i = 0, first = 0; i < _taken.Count; i++)
            {
                if (i + 1 == _taken.Count || _taken[i + 1] != _taken[i])
                {
                    parts.Add(string.Create(CultureInfo.InvariantCulture, $"{_taken[i]}*{i + 1 - first}"));
                    first = i + 1;
                }
            }

            return string.Join(", ", parts);
        }
    }

    /// <summary>A search that runs one order only.</summary>
    public static ScheduleSearch Parse(string taken)
    {
        List<string> choices = [];
        foreach (string[] part in taken.Split(", ").Select(part => part.Split('*')))
        {
            choices.AddRange(Enumerable.Repeat(part[0], int.Parse(part[1], CultureInfo.InvariantCulture)));
        }

        return new ScheduleSearch(new Beginning([.. choices.Distinct()], choices, 0));
    }

    /// <summary>Begins the next run; false when all orders were run.</summary>
    public bool TryBegin()
    {
        bool isMore = _open.TryDequeue(out Beginning? next, out _);
        if (isMore)
        {
            _beginning = next!;
            _taken.Clear();
            (_looks, _isLost) = (0, false);
            Runs++;
        }

        return isMore;
    }

    /// <summary>Says which thread goes on; null to look again.</summary>
    public string? Choose(List<string> ready, string? last)
    {
        if (!_isLost && _taken.Count < _beginning.Choices.Count)
        {
            string repeated = _beginning.Choices[_taken.Count];
            if (!ready.Contains(repeated) && ++_looks < LooksMax)
            {
                return null;
            }

            _looks = 0;
            _isLost = !ready.Contains(repeated);
            Lost += _isLost ? 1 : 0;
            return Take(_isLost ? Sort(ready, last)[0] : repeated);
        }

        List<string> sorted = Sort(ready, last);
        for (int i = 1; i < sorted.Count && !_isLost && _beginning.Delays + 1 <= _delaysMax; i++)
        {
            _open.Enqueue(new Beginning(_beginning.Circle, [.. _taken, sorted[i]], _beginning.Delays + 1), (_beginning.Delays + 1, _random.Next()));
        }

        return Take(sorted[0]);
    }

    private string Take(string choice)
    {
        _taken.Add(choice);
        return choice;
    }

    /// <summary>The threads from the last one on, in a circle; those of the code under test come in where they were met first.</summary>
    private List<string> Sort(List<string> ready, string? last)
    {
        List<string> circle = [.. _beginning.Circle, .. ready.Except(_beginning.Circle).Order(StringComparer.Ordinal)];
        int first = last is null ? 0 : Math.Max(circle.IndexOf(last), 0);
        return [.. circle.Skip(first).Concat(circle.Take(first)).Where(ready.Contains)];
    }

    private static IEnumerable<string[]> Permute(string[] names) => names.Length == 1
        ? [names]
        : names.SelectMany(first => Permute([.. names.Where(name => name != first)]).Select(rest => (string[])[first, .. rest]));

    /// <param name="Circle">In which the threads follow each other.</param>
    /// <param name="Choices">What is repeated first.</param>
    /// <param name="Delays">Choices among them that the circle would not have made.</param>
    private sealed record Beginning(string[] Circle, List<string> Choices, int Delays);
}
