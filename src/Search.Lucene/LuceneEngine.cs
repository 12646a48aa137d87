using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Files;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Lucene.Net.Index;

namespace Jackdaw.Search.Lucene;

/// <summary>The engine that uses Lucene.Net, with its files in the trees of a storage.</summary>
public sealed class LuceneEngine : SearchEngine
{
    private LuceneEngine()
    {
    }

    public static LuceneEngine Instance { get; } = new();

    public override string Name => "Lucene";

    public override SearchIndex Open(StorageEnvironment storage, IndexFields fields) => LuceneSearchIndex.Open(storage, fields);

    /// <inheritdoc/>
    /// <remarks>Each file has all its chunks, each chunk a file, and Lucene's own checks find nothing. Reads all of them.</remarks>
    public override IReadOnlyList<string> Verify(StorageEnvironment storage)
    {
        ArgumentNullException.ThrowIfNull(storage);
        try
        {
            using ReadTransaction read = storage.BeginRead();
            if (!FileTrees.Exist(read))
            {
                return [];
            }

            using PageLease lease = PageLease.Begin(read);
            using var directory = new StorageDirectory(storage);
            return [.. FileTrees.FindLostChunks(read), .. Check(directory)];
        }
        catch (CorruptionException damage)
        {
            return [damage.Message];
        }
    }

    private static IEnumerable<string> Check(StorageDirectory directory)
    {
        if (directory.FileCount == 0)
        {
            return [];
        }

        CheckIndex.Status found;
        using var text = new StringWriter();
        try
        {
            found = new CheckIndex(directory) { InfoStream = text }.DoCheckIndex();
        }
        catch (Exception exception) when (exception is IOException or InvalidOperationException or ArgumentException or IndexOutOfRangeException)
        {
            return [$"The files of the index cannot be read: {exception.Message}"];
        }

        return found.Clean ? [] : text.ToString().Split('\n').Where(line => line.Contains("ERROR", StringComparison.Ordinal)
            || line.Contains("FAILED", StringComparison.Ordinal)).Select(line => $"The files of the index contradict each other: {line.Trim()}")
            .DefaultIfEmpty("The files of the index contradict each other.");
    }
}
