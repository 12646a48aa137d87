using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Storage;
using Jackdaw.Storage.Environments;
using WriteCommand = Jackdaw.Server.Documents.WriteCommand;

namespace Jackdaw.DocumentsBench;

/// <summary>Writes documents without any flush until the journals hold so many bytes, then dies as by <c>kill -9</c>: what a start
/// after the worst crash has to replay.</summary>
internal static class JournalLoad
{
    private const int DocumentBytes = 1024;
    private const int BatchDocuments = 100;
    private const long IdSpace = 1_000_000_000;

    public static async Task<int> RunAsync(string folder, long journalBytes)
    {
        var options = new StorageOptions { BackgroundFlush = false, ScratchBytesMax = long.MaxValue };
        StoredDatabase database = StoredDatabase.Open(
            new NativePlatform(), Path.GetFullPath(folder), "bench", StoredDatabase.MakeDatabaseId(), new DatabaseSettings(), options);
        var random = new Random(1);
        var document = new SampleDocument(DocumentBytes, 1);
        byte[][] keys = [.. Enumerable.Range(0, BatchDocuments).Select(_ => new byte[32])];
        var commands = new WriteCommand[BatchDocuments];
        while (database.Environment.Statistics.Sum.StoredBytes < journalBytes)
        {
            for (int i = 0; i < commands.Length; i++)
            {
                commands[i] = document.Put(keys[i].AsMemory(0, SampleDocument.WriteKey(keys[i], random.NextInt64(IdSpace))));
            }

            var batch = new WriteBatch { Commands = commands, ResultsWanted = false };
            await database.WriteAsync(batch, CancellationToken.None).ConfigureAwait(false);
        }

        Process.GetCurrentProcess().Kill();
        return 1;
    }
}
