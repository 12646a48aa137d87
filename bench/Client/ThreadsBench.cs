using System.Diagnostics;
using Jackdaw.Client;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.ClientBench;

/// <summary>Saves of objects of twenty types from fresh threads and fresh stores, against one warm thread of one store.</summary>
internal static class ThreadsBench
{
    private const int Objects = 1_000_000;
    private const int BatchObjects = 500;
    private const int Threads = 100;
    private const int FreshStores = 20;

    // Objects of twenty types: each is another one for the serializer.
    private static readonly Func<int, object>[] s_types =
    [
        Make<T0>, Make<T1>, Make<T2>, Make<T3>, Make<T4>, Make<T5>, Make<T6>, Make<T7>, Make<T8>, Make<T9>,
        Make<List<T0>>, Make<List<T1>>, Make<List<T2>>, Make<List<T3>>, Make<List<T4>>,
        Make<List<T5>>, Make<List<T6>>, Make<List<T7>>, Make<List<T8>>, Make<List<T9>>,
    ];

    public static async Task RunAsync(string url)
    {
        await using DocumentStore warm = Stores.Open(url);
        Save(warm, 0, s_types.Length * 10);
        double one = Time(() => Save(warm, 0, Objects));
        using var compiled = new CompiledMethods();
        double many = Time(() =>
        {
            DocumentStore[] stores = [.. Enumerable.Range(0, FreshStores).Select(_ => Stores.Open(url))];
            for (int i = 0; i < Threads; i++)
            {
                var thread = new Thread(number => Save(stores[(int)number! % FreshStores], (int)number * (Objects / Threads), Objects / Threads));
                thread.Start(i);
                thread.Join();
            }

            Array.ForEach(stores, store => store.Dispose());
        });
        Stores.Print("threads", "warm", Objects / one, "objects/s");
        Stores.Print("threads", "fresh", Objects / many, "objects/s");
        Stores.Print("threads", "time-ratio", many / one, "x");
        Stores.Print("threads", "dynamic-methods", compiled.Count, "methods");
    }

    private static double Time(Action save)
    {
        var time = Stopwatch.StartNew();
        save();
        return time.Elapsed.TotalSeconds;
    }

    private static void Save(DocumentStore store, int first, int count)
    {
        for (int i = 0; i < count; i += BatchObjects)
        {
            using IDocumentSession session = store.OpenSession();
            for (int j = i; j < Math.Min(count, i + BatchObjects); j++)
            {
                session.Store(s_types[j % s_types.Length](first + j), $"things/{first + j}");
            }

            session.SaveChanges();
        }
    }

    private static object Make<T>(int number)
        where T : new() => new Thing<T> { Number = number, Text = "thing", Inner = new T() };

    private sealed class Thing<T>
    {
        public int Number { get; set; }

        public string Text { get; set; } = "";

        public T? Inner { get; set; }
    }

    private sealed class T0
    {
        public int A { get; set; }
    }

    private sealed class T1
    {
        public int A { get; set; }
    }

    private sealed class T2
    {
        public int A { get; set; }
    }

    private sealed class T3
    {
        public int A { get; set; }
    }

    private sealed class T4
    {
        public int A { get; set; }
    }

    private sealed class T5
    {
        public int A { get; set; }
    }

    private sealed class T6
    {
        public int A { get; set; }
    }

    private sealed class T7
    {
        public int A { get; set; }
    }

    private sealed class T8
    {
        public int A { get; set; }
    }

    private sealed class T9
    {
        public int A { get; set; }
    }
}
