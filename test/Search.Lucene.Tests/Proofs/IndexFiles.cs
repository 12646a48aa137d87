using System.Buffers.Binary;
using Jackdaw.Search.Lucene.Files;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Lucene.Net.Index;

namespace Jackdaw.Search.Lucene.Tests.Proofs;

/// <summary>Looks at the files of an index below its contract.</summary>
internal static class IndexFiles
{
    /// <summary>Nothing lies in the storage that no file has: what was cut off is gone.</summary>
    public static void CheckEachChunkHasAFile(StorageEnvironment storage)
    {
        using ReadTransaction read = storage.BeginRead();
        var named = FileTrees.ReadFiles(read).Select(file => file.Id).ToHashSet();
        Assert.Empty(FileTrees.ReadFilesToFree(read));
        if (read.Trees.FindTree("chunks"u8) is not { } chunks)
        {
            return;
        }

        using BTreeCursor cursor = chunks.OpenCursor();
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
        {
            Assert.Contains(BinaryPrimitives.ReadInt64BigEndian(cursor.Key), named);
        }
    }

    /// <summary>Lucene finds nothing wrong.</summary>
    public static void CheckClean(StorageEnvironment storage, StorageDirectory directory)
    {
        using ReadTransaction read = storage.BeginRead();
        using PageLease lease = PageLease.Begin(read);
        using var output = new StringWriter();
        Assert.True(directory.FileCount == 0 || new CheckIndex(directory) { InfoStream = output }.DoCheckIndex().Clean, output.ToString());
    }
}
