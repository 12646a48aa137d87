using System.Diagnostics;
using System.Globalization;
using Jackdaw.Pal.Native;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Vectors;
using Jackdaw.Search.Vectors.Graphs;
using Jackdaw.Search.Vectors.Recall;
using Jackdaw.Search.Vectors.Walks;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Bench.Vectors;

/// <summary>Measures the graph alone, in a storage on the disk: processor time, recall, allocations.</summary>
internal static class GraphBench
{
    private const int PerTransaction = 5000;
    private const string Field = "v";

    public static void Build(string folder, string data, int edges, int candidates, int threads, VectorCodeKind codes)
    {
        DataSet set = DataSet.Read(data);
        int dimensions = set.Vectors[0].Length;
        using StorageEnvironment storage = StorageEnvironment.Open(new NativePlatform(), folder, new StorageOptions());
        GraphHeader first = FieldGraph.NewHeader(new VectorSettings { Edges = edges, CandidatesForIndexing = candidates }, dimensions);
        first.CodeKind = codes;
        var graph = new FieldGraph(Field, first, threads);
        TimeSpan processor = Process.GetCurrentProcess().TotalProcessorTime;
        long began = Stopwatch.GetTimestamp();
        long allocated = GC.GetTotalAllocatedBytes();
        for (int from = 0; from < set.Vectors.Length; from += PerTransaction)
        {
            using WriteTransaction transaction = storage.BeginWrite();
            GraphHeader header = VectorGraph.TryReadHeader(transaction.Trees, Field, out GraphHeader stored) ? stored : first;
            using (GraphWriter writer = graph.BeginWrite(transaction, header))
            {
                foreach (float[] vector in set.Vectors.AsSpan(from, Math.Min(PerTransaction, set.Vectors.Length - from)))
                {
                    writer.Add(vector);
                }

                writer.Complete();
            }

            transaction.Commit();
        }

        double perVector = (Process.GetCurrentProcess().TotalProcessorTime - processor).TotalMicroseconds / set.Vectors.Length;
        Print(string.Create(
            CultureInfo.InvariantCulture,
            $"build {set.Vectors.Length} x {dimensions}, M {edges}, ef {candidates}, {threads} threads, {codes}: {perVector:0.0} us of processor per vector, "
            + $"{Stopwatch.GetElapsedTime(began).TotalSeconds:0.00} s, "
            + $"{(GC.GetTotalAllocatedBytes() - allocated) / set.Vectors.Length} B allocated per vector"));
    }

    public static void Search(string folder, string data, int[] widths)
    {
        DataSet set = DataSet.Read(data);
        using StorageEnvironment storage = StorageEnvironment.Open(new NativePlatform(), folder, new StorageOptions());
        using ReadTransaction read = storage.BeginRead();
        VectorGraph.TryReadHeader(read.Trees, Field, out GraphHeader header);
        using GraphLease lease = new FieldGraph(Field, header).Rent(read, header);
        GraphSearcher searcher = lease.Searcher;
        foreach (int width in widths)
        {
            Run(searcher, set, width); // warms
            TimeSpan processor = Process.GetCurrentProcess().TotalProcessorTime;
            long allocated = GC.GetAllocatedBytesForCurrentThread();
            long distances = searcher.Walk.Distances;
            int found = Run(searcher, set, width);
            double time = (Process.GetCurrentProcess().TotalProcessorTime - processor).TotalMicroseconds / set.QueryVectors.Length;
            Print(string.Create(
                CultureInfo.InvariantCulture,
                $"ef {width}: recall@10 {found / 10.0 / set.QueryVectors.Length:0.0000}, {time:0.0} us of processor per query, "
                + $"{(searcher.Walk.Distances - distances) / set.QueryVectors.Length} distances, "
                + $"{GC.GetAllocatedBytesForCurrentThread() - allocated} B allocated"));
        }
    }

    /// <summary>The recall that is stated, and that of the queries.</summary>
    public static void Stated(string folder, string data)
    {
        DataSet set = DataSet.Read(data);
        using StorageEnvironment storage = StorageEnvironment.Open(new NativePlatform(), folder, new StorageOptions());
        using ReadTransaction read = storage.BeginRead();
        VectorGraph.TryReadHeader(read.Trees, Field, out GraphHeader header);
        using GraphLease lease = new FieldGraph(Field, header).Rent(read, header);
        var measurement = new RecallMeasurement(lease.Searcher.View);
        RecallTable? table;
        do
        {
            table = measurement.Step(lease.Searcher);
        }
        while (table is null);

        foreach (RecallAt stated in table.Widths)
        {
            double recall = Run(lease.Searcher, set, stated.Width) / 10.0 / set.QueryVectors.Length;
            Print(string.Create(CultureInfo.InvariantCulture, $"ef {stated.Width}: stated {stated.Mean:0.000} +- {stated.Error:0.000}, true {recall:0.000}"));
        }
    }

    /// <summary>Searches and insertions when not all fits in memory: reads only the queries of the data, half of which warm.</summary>
    public static void Memory(string folder, string data, int width)
    {
        DataSet set = DataSet.ReadQueries(data);
        using StorageEnvironment storage = StorageEnvironment.Open(new NativePlatform(), folder, new StorageOptions());
        GraphHeader header;
        FieldGraph graph;
        using (ReadTransaction read = storage.BeginRead())
        {
            VectorGraph.TryReadHeader(read.Trees, Field, out header);
            graph = new FieldGraph(Field, header);
            using GraphLease lease = graph.Rent(read, header);
            foreach (bool isWarm in (bool[])[false, true])
            {
                float[][] queries = isWarm ? set.QueryVectors[500..] : set.QueryVectors[..500];
                (long faults, long began) = (MajorFaults(), Stopwatch.GetTimestamp());
                foreach (float[] query in queries)
                {
                    lease.Searcher.FindByWalk(query, 10, width);
                }

                Print(string.Create(
                    CultureInfo.InvariantCulture,
                    $"{(isWarm ? "warm" : "cold")}, ef {width}: {Stopwatch.GetElapsedTime(began).TotalMilliseconds / queries.Length:0.00} ms and "
                    + $"{(MajorFaults() - faults) / (double)queries.Length:0.0} major faults per query"));
            }
        }

        (long before, long start) = (MajorFaults(), Stopwatch.GetTimestamp());
        for (int from = 0; from < set.QueryVectors.Length; from += 100)
        {
            using WriteTransaction transaction = storage.BeginWrite();
            VectorGraph.TryReadHeader(transaction.Trees, Field, out header);
            using (GraphWriter writer = graph.BeginWrite(transaction, header))
            {
                Array.ForEach(set.QueryVectors[from..(from + 100)], vector => writer.Add(vector));
                writer.Complete();
            }

            transaction.Commit();
        }

        Print(string.Create(
            CultureInfo.InvariantCulture,
            $"insertion: {Stopwatch.GetElapsedTime(start).TotalMilliseconds / set.QueryVectors.Length:0.00} ms and "
            + $"{(MajorFaults() - before) / (double)set.QueryVectors.Length:0.0} major faults per vector"));
    }

    // Linux: field 12 of /proc/self/stat, counted from after the name, which is in brackets.
    private static long MajorFaults() =>
        long.Parse(File.ReadAllText("/proc/self/stat").Split(')')[^1].Split(' ', StringSplitOptions.RemoveEmptyEntries)[9], CultureInfo.InvariantCulture);

    private static int Run(GraphSearcher searcher, DataSet set, int width)
    {
        int found = 0;
        for (int query = 0; query < set.QueryVectors.Length; query++)
        {
            foreach (ulong key in searcher.FindByWalk(set.QueryVectors[query], 10, width))
            {
                found += Array.IndexOf(set.Exact[query], (int)NodeKey.Node(key)) >= 0 ? 1 : 0;
            }
        }

        return found;
    }

    private static void Print(string text) => Console.WriteLine(text);
}
