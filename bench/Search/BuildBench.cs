using System.Diagnostics;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Fields;
using Lucene.Net.Index;
using Lucene.Net.Store;
using Lucene.Net.Util;

namespace Jackdaw.Bench.Search;

/// <summary>Building an index, beside Lucene's own writer with its usual settings, merges in threads of their own, and a commit per batch.</summary>
internal static class BuildBench
{
    public static void Run(string folder, int count, int round)
    {
        var orders = new Orders(20_000);
        double lucene = 0;
        if (round % 2 == 0)
        {
            lucene = BuildWithLucene(folder, orders, count);
        }

        using (var stored = new StoredIndex(folder))
        {
            long began = Stopwatch.GetTimestamp();
            long source = stored.Write(orders, Enumerable.Range(0, count), version: 0);
            double seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
            stored.Rest();
            double rested = Stopwatch.GetElapsedTime(began).TotalSeconds;
            (long journal, long data) = stored.WrittenBytes;
            if (lucene == 0)
            {
                lucene = BuildWithLucene(folder, orders, count);
            }

            Figures.Print($"build-{round}", "stored", count / seconds, "docs/s");
            Figures.Print($"build-{round}", "stored-with-rest", count / rested, "docs/s");
            Figures.Print($"build-{round}", "lucene", lucene, "docs/s");
            Figures.Print($"build-{round}", "stored-by-lucene", count / seconds / lucene, "times");
            Figures.Print($"build-{round}", "journal-written", (double)journal / source, "bytes/source-byte");
            Figures.Print($"build-{round}", "data-written", (double)data / source, "bytes/source-byte");
            Figures.Print($"build-{round}", "size", (double)stored.DataBytes / source, "bytes/source-byte");
            foreach (IGrouping<string, string> kind in stored.Index.Directory.ListAll().GroupBy(name => System.IO.Path.GetExtension(name)))
            {
                double bytes = kind.Sum(stored.Index.Directory.FileLength);
                Figures.Print($"build-{round}", "size-of-files" + kind.Key, bytes / source, "bytes/source-byte");
            }

            Figures.Print($"build-{round}", "segments", stored.Index.SegmentCount, "");
        }
    }

    private static double BuildWithLucene(string folder, Orders orders, int count)
    {
        string path = Path.Combine(folder, "lucene");
        if (System.IO.Directory.Exists(path))
        {
            System.IO.Directory.Delete(path, recursive: true);
        }

        long began = Stopwatch.GetTimestamp();
        using (var settings = new StoredIndex(Path.Combine(folder, "settings"))) // only its fields are used
        using (var directory = new MMapDirectory(new DirectoryInfo(path)))
        using (var writer = new IndexWriter(directory, new IndexWriterConfig(LuceneVersion.LUCENE_48, new FieldAnalyzers(settings.Any))))
        {
            var document = new EntryDocument();
            var entry = new IndexEntry();
            for (int number = 0; number < count; number++)
            {
                orders.Fill(entry, number, version: 0);
                writer.AddDocument(document.Make(entry));
                if ((number + 1) % StoredIndex.BatchMax == 0)
                {
                    writer.Commit();
                }
            }

            writer.Commit();
            began = Stopwatch.GetTimestamp() - began; // merges that still run are not waited for, as on the other side
        }

        System.IO.Directory.Delete(path, recursive: true);
        return count / Stopwatch.GetElapsedTime(0, began).TotalSeconds;
    }
}
