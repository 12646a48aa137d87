using System.Diagnostics;
using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage;

namespace Jackdaw.DocumentsBench;

/// <summary>One thread reads random documents of a database in memory.</summary>
internal static class GetLoad
{
    private const int BatchDocuments = 2000;
    private const int Reads = 2_000_000;
    private const int ReadsPerScope = 1000;

    public static async Task<int> RunAsync(string[] args)
    {
        int documents = args.Length > 0 ? int.Parse(args[0]) : 1_000_000;
        int bytes = args.Length > 1 ? int.Parse(args[1]) : 512;
        DocumentDatabase database = DocumentDatabase.Open(
            new MemoryPlatform(), "/bench", "bench", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());
        await using (database.ConfigureAwait(false))
        {
            long started = Stopwatch.GetTimestamp();
            await FillAsync(database, documents, new SampleDocument(bytes, 1)).ConfigureAwait(false);
            Console.WriteLine($"filled in {Stopwatch.GetElapsedTime(started).TotalSeconds:N1} s, {database.SizeBytes >> 20} MB");
            database.Environment.Flush();
            for (int round = 0; round < 3; round++)
            {
                Measure("one scope per 1000", database, documents, ReadsPerScope);
                Measure("one scope per read", database, documents, 1);
            }
        }

        return 0;
    }

    private static async Task FillAsync(DocumentDatabase database, int documents, SampleDocument document)
    {
        for (int first = 0; first < documents; first += BatchDocuments)
        {
            var commands = new DocumentCommand[Math.Min(BatchDocuments, documents - first)];
            for (int i = 0; i < commands.Length; i++)
            {
                byte[] key = new byte[32];
                commands[i] = document.Put(key.AsMemory(0, SampleDocument.WriteKey(key, first + i)));
            }

            var batch = new WriteBatch { Commands = commands };
            await database.WriteAsync(batch, CancellationToken.None).ConfigureAwait(false);
        }
    }

    private static void Measure(string name, DocumentDatabase database, int documents, int readsPerScope)
    {
        var random = new Random(7);
        Span<byte> key = stackalloc byte[32];
        long allocated = GC.GetAllocatedBytesForCurrentThread();
        TimeSpan processor = Environment.CpuUsage.TotalTime;
        long started = Stopwatch.GetTimestamp();
        long bytes = 0;
        for (int done = 0; done < Reads; done += readsPerScope)
        {
            using DocumentReadScope read = database.BeginRead();
            for (int i = 0; i < readsPerScope; i++)
            {
                int length = SampleDocument.WriteKey(key, random.Next(documents));
                if (!read.TryGet(key[..length], out StoredDocument document))
                {
                    throw new InvalidOperationException("A document is missing.");
                }

                bytes += document.Body.Length;
            }
        }

        double seconds = Stopwatch.GetElapsedTime(started).TotalSeconds;
        allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
        processor = Environment.CpuUsage.TotalTime - processor;
        Console.WriteLine($"{name}: {Reads / seconds,12:N0} reads/s, " +
            $"{Reads / processor.TotalSeconds,12:N0} per second of processor, {allocated} bytes allocated in all");
    }
}
