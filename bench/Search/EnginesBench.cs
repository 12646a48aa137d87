using System.Diagnostics;
using System.Globalization;
using Jackdaw.Search;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Segments;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Bench.Search;

/// <summary>Two engines with the same orders: building, and queries by turns, in processor time of the process, which has nothing else to do.</summary>
internal static class EnginesBench
{
    private const int Page = 25;
    private const int Rounds = 5;
    private const double TurnSeconds = 0.15;

    private static readonly SearchEngine[] s_engines = [LuceneEngine.Instance, SegmentEngine.Instance];

    /// <param name="wanted">A part of the names of the queries that run.</param>
    public static void Run(string folder, int count, string wanted)
    {
        var orders = new Orders(20_000);
        Build(folder, orders, Math.Min(count, 20_000)); // the code is compiled
        StoredIndex[] indexes = Build(folder, orders, count, keep: true);
        try
        {
            foreach ((string name, SearchRequest[] requests) in Queries(orders, count).Where(query => query.Name.Contains(wanted, StringComparison.Ordinal)))
            {
                Compare(name, requests, indexes);
            }
        }
        finally
        {
            foreach (StoredIndex index in indexes)
            {
                index.Dispose();
            }
        }
    }

    private static StoredIndex[] Build(string folder, Orders orders, int count, bool keep = false)
    {
        double generating = 0;
        var indexes = new StoredIndex[s_engines.Length];
        double[] times = new double[s_engines.Length];
        for (int i = 0; i < s_engines.Length; i++)
        {
            generating = Generate(orders, count);
            indexes[i] = new StoredIndex(folder, s_engines[i]);
            TimeSpan began = Cpu();
            long source = indexes[i].Write(orders, Enumerable.Range(0, count), 0);
            indexes[i].Rest();
            times[i] = ((Cpu() - began).TotalSeconds - generating) * 1e6 / count;
            (long journal, long data) = indexes[i].WrittenBytes;
            if (keep)
            {
                string name = s_engines[i].Name;
                Figures.Print("build", name, times[i], "us/doc");
                Figures.Print("journal", name, (double)journal / source, "bytes/source-byte");
                Figures.Print("data-written", name, (double)data / source, "bytes/source-byte");
                Figures.Print("size", name, (double)indexes[i].DataBytes / source, "bytes/source-byte");
            }
            else
            {
                indexes[i].Dispose();
            }
        }

        if (keep)
        {
            Figures.Print("build", "ratio", times[0] / times[1], "times");
        }

        return indexes;
    }

    private static double Generate(Orders orders, int count)
    {
        var entry = new IndexEntry();
        TimeSpan began = Cpu();
        for (int i = 0; i < count; i++)
        {
            orders.Fill(entry, i, 0);
        }

        return (Cpu() - began).TotalSeconds;
    }

    private static void Compare(string name, SearchRequest[] requests, StoredIndex[] indexes)
    {
        foreach (SearchRequest request in requests)
        {
            long[] totals = [.. indexes.Select(index => Find(index, request).Total)];
            if (totals[0] != totals[1])
            {
                Console.WriteLine($"{name}: {totals[0]} and {totals[1]} found by {request.Query}");
            }
        }

        double[] best = [double.MaxValue, double.MaxValue], allocated = new double[2];
        for (int round = 0; round < Rounds; round++)
        {
            for (int i = 0; i < indexes.Length; i++)
            {
                best[i] = Math.Min(best[i], Time(indexes[i], requests, out allocated[i]));
            }
        }

        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{name,-34} {best[0],10:F1} us {best[1],9:F1} us  {best[0] / best[1],7:F1} times  {allocated[0],10:F0} B {allocated[1],8:F0} B"));
    }

    private static double Time(StoredIndex index, SearchRequest[] requests, out double allocated)
    {
        int runs = 0;
        long bytes = GC.GetAllocatedBytesForCurrentThread();
        TimeSpan began = Cpu();
        long wall = Stopwatch.GetTimestamp();
        do
        {
            foreach (SearchRequest request in requests)
            {
                Find(index, request);
                runs++;
            }
        }
        while (Stopwatch.GetElapsedTime(wall).TotalSeconds < TurnSeconds);
        double time = (Cpu() - began).TotalSeconds * 1e6 / runs;
        allocated = (double)(GC.GetAllocatedBytesForCurrentThread() - bytes) / runs;
        return time;
    }

    private static SearchResults Find(StoredIndex index, SearchRequest request)
    {
        using Searcher searcher = index.Any.BeginSearch();
        return searcher.Search(request, CancellationToken.None);
    }

    private static TimeSpan Cpu() => Process.GetCurrentProcess().TotalProcessorTime;

    public static IEnumerable<(string Name, SearchRequest[] Requests)> Queries(Orders orders, int count)
    {
        IndexEntry[] samples = [.. Enumerable.Range(0, 12).Select(i =>
        {
            var entry = new IndexEntry();
            orders.Fill(entry, i * (count / 12), 0);
            return entry;
        })];
        string Value(int sample, string field) => samples[sample].Values.First(value => value.Field.Name == field).Text!;
        SearchNode Term(int sample, string field) => new TermNode(field, new TextValue(Value(sample, field)));
        string Word(int sample, int word) => Value(sample, "Note").Split(' ')[word];
        SearchRequest[] Each(Func<int, SearchNode> node, params SortKey[] order) =>
            [.. Enumerable.Range(0, samples.Length).Select(i => new SearchRequest(node(i), order, 0, Page))];
        SearchNode Freight(double low, double high) => new RangeNode(
            "Freight", RangeKind.Double, new DoubleValue(low, ""), true, new DoubleValue(high, ""), true);
        SearchNode Words(string text, WordOperator all) => new FullTextNode("Note", text, all);
        SortKey company = new(SortBy.Text, "Company"), freight = new(SortBy.Double, "Freight"), number = new(SortBy.Long, "Int"), score = new(SortBy.Score);
        yield return ("term City", Each(i => Term(i, "City")));
        yield return ("term Company", Each(i => Term(i, "Company")));
        yield return ("Company AND Employee", Each(i => new AndNode([Term(i, "Company"), Term(i, "Employee")])));
        yield return ("City OR City OR Company", Each(i => new OrNode([Term(i, "City"), Term((i + 1) % 12, "City"), Term(i, "Company")])));
        yield return ("Employee AND Freight > 500", Each(i => new AndNode([Term(i, "Employee"), Freight(500, 1000)])));
        yield return ("Freight 1 %", Each(i => Freight(i * 80, (i * 80) + 10)));
        yield return ("Freight 49 %", Each(i => Freight(i * 10, (i * 10) + 490)));
        yield return ("Int >= 0, all", Each(_ => new RangeNode("Int", RangeKind.Long, new LongValue(0, "0"), true, null, false)));
        yield return ("Freight 1 % order by Company", Each(i => Freight(i * 80, (i * 80) + 10), company));
        yield return ("Freight 49 % order by Company", Each(i => Freight(i * 10, (i * 10) + 490), company));
        yield return ("all order by Company", Each(_ => new AllNode(), company));
        yield return ("Country order by Freight", Each(i => Term(i, "Country"), freight));
        yield return ("Freight 49 % order by Int", Each(i => Freight(i * 10, (i * 10) + 490), number));
        yield return ("text term by score", Each(i => Words(Word(i, 0), WordOperator.Or), score));
        yield return ("text AND by score", Each(i => Words(Word(i, 0) + " " + Word(i, 1), WordOperator.And), score));
        yield return ("text OR by score", Each(i => Words(Word(i, 0) + " " + Word(i, 1), WordOperator.Or), score));
        yield return ("phrase", Each(i => Words($"\"{Word(i, 0)} {Word(i, 1)}\"", WordOperator.And)));
        yield return ("prefix City", Each(i => new PrefixNode("City", Value(i, "City")[..2])));
        yield return ("prefix Note", Each(i => new PrefixNode("Note", Word(i, 0)[..2])));
        yield return ("contains Note", Each(i => new ContainsNode("Note", Word(i, 0)[..3])));
        yield return ("circle of 100 miles", Each(i => new SpatialNode(
            "Location", SpatialRelation.Within, new CircleShape(100, (i * 10) - 60, (i * 20) - 100, DistanceUnit.Miles))));
    }
}
