using System.Diagnostics;
using Jackdaw.Documents.Database;
using Jackdaw.Pal.Native;
using Jackdaw.Storage;
using Jackdaw.Storage.Resources;

namespace Jackdaw.DocumentsBench;

/// <summary>Writes documents without any flush until the journals hold so many bytes, then dies as by <c>kill -9</c>: what a start
/// after the worst crash has to replay.</summary>
internal static class JournalLoad
{
    private const int BatchDocuments = 100;

    public static async Task<int> RunAsync(string folder, long journalBytes)
    {
        var options = new StorageOptions
        {
            BackgroundFlush = false,
            ScratchBytesMax = long.MaxValue,
            Resources = new ProcessResources(new MemoryBudget(long.MaxValue)),
        };
        DocumentDatabase database = DocumentDatabase.Open(
            new NativePlatform(), Path.GetFullPath(folder), "bench", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), options);
        var puts = new RandomPuts(seed: 1, BatchDocuments);
        while (database.Environment.Statistics.Sum.StoredBytes < journalBytes)
        {
            await puts.WriteAsync(database).ConfigureAwait(false);
        }

        Process.GetCurrentProcess().Kill();
        return 1;
    }
}
