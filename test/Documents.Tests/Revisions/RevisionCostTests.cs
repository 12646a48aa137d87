using System.Text.Json;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Tests.Revisions;

/// <summary>What writes cost on the writer's thread while no revisions are kept.</summary>
public sealed class RevisionCostTests
{
    private const int Writes = 200;

    /// <summary>A configuration that keeps versions of another collection costs look-ups, but no memory.</summary>
    [Theory]
    [InlineData(null)]
    [InlineData("""{"Collections":{"Others":{}}}""")]
    public void Put_WithoutRevisions_AllocatesAsMuchAsWithoutAKeeper(string? configuration)
    {
        long without = Measure(null);
        long with = Measure(new RevisionKeeper(Read(configuration)));
        Assert.True(with <= without + (configuration is null ? 0 : 4096), $"{with} bytes instead of {without} for {Writes} writes");
    }

    private static Func<RevisionsConfiguration?> Read(string? json)
    {
        if (json is null)
        {
            return static () => null;
        }

        using JsonDocument parsed = JsonDocument.Parse(json);
        Assert.True(RevisionsConfiguration.TryRead(parsed.RootElement, out RevisionsConfiguration? read, out _));
        return () => read;
    }

    private static long Measure(RevisionKeeper? keeper)
    {
        using var environment = StorageEnvironment.Open(new MemoryPlatform(), "/other");
        Replica replica = DatabaseTree.Open(environment, DocumentDatabase.MakeDatabaseId(), NodeTag.Default);
        using WriteTransaction write = environment.BeginWrite();
        DocumentsState opened = DocumentTransaction.ReadState(write, write.Trees);
        using var transactions = new DocumentTransactions(
            opened, TimeProvider.System, new ChangeFeed(opened.LastEtag), replica, DocumentExtensions.None, keeper);
        DocumentTransaction documents = transactions.For(write);
        byte[] key = TestCommands.Key("users/1");
        byte[] row = DocumentRowBuilding.Build(documents.Rows, key, key, TestCommands.Put("users/1", TestCommands.Json("Users", 2)).Document).ToArray();
        long allocated = 0;
        for (int round = 0; round < 4; round++)
        {
            allocated = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < Writes; i++)
            {
                documents.BeginBatch();
                if (documents.TryFind(key, out DocumentRow stored))
                {
                    documents.Replace(stored, key, row);
                }
                else
                {
                    documents.Insert(key, row);
                }

                documents.EndBatch();
            }

            documents.TryFind(key, out DocumentRow last);
            documents.Delete(last, key);
            allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
        }

        return allocated;
    }
}
