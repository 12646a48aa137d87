using Jackdaw.Search.Lucene.Files;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Lucene.Net.Index;

namespace Jackdaw.Search.Lucene;

/// <summary>Checks what lies in the storage of an index, above its pages.</summary>
public static class LuceneVerification
{
    /// <summary>What is wrong with the index of a storage, for people; nothing for a storage without one. Reads all of it.</summary>
    /// <remarks>Each file has all its chunks, each chunk a file, and Lucene's own checks find nothing. Pages are checked by their storage.</remarks>
    public static IReadOnlyList<string> FindProblems(StorageEnvironment storage)
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
