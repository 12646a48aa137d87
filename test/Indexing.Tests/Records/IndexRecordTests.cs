using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Indexing.Tests.Records;

/// <summary>Records of indexes in the storage of the documents.</summary>
public sealed class IndexRecordTests
{
    [Fact]
    public async Task Records_WrittenReplacedAndRemoved_AreThereAfterReopening()
    {
        var platform = new MemoryPlatform();
        DocumentDatabase database = Open(platform);
        await WriteAsync(database, [], [Record("Orders/Totals", "f1"), Record("Other", "f2"), Record("ReplacementOf/Orders/Totals", "f3")]);

        // The swap: one transaction.
        await WriteAsync(database, ["ReplacementOf/orders/totals"], [Record("orders/TOTALS", "f3", IndexState.Disabled)]);
        await database.DisposeAsync();
        database = Open(platform);
        List<IndexRecord> records = Read(database);
        Assert.Equal(["orders/TOTALS f3 Disabled", "Other f2 Normal"], records.Select(record => $"{record.Name} {record.Folder} {record.State}"));
        Assert.Equal(IndexLockMode.LockedError, records[0].LockMode);
        Assert.Equal(IndexPriority.High, records[0].Priority);
        Assert.Equal(17, records[0].CreatedTicks);
        Assert.Equal("{}", Encoding.UTF8.GetString(records[0].Definition.Span));
        Assert.Empty(EnvironmentVerifier.Verify(database.Environment, [.. DatabaseSchemas.Standard, IndexRecordTable.Schema]));
        await database.DisposeAsync();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Record_OfAMove_IsReadAsWritten(bool isMove)
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        await WriteAsync(database, [], [Record("ReplacementOf/A", "f1", IndexState.Error) with { IsMove = isMove, Engine = "Corax" }]);
        IndexRecord read = Assert.Single(Read(database));
        Assert.Equal((isMove, "Corax", IndexState.Error, IndexPriority.High), (read.IsMove, read.Engine, read.State, read.Priority));
    }

    [Fact]
    public async Task Records_OfADatabaseWithoutIndexes_AreNone()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        Assert.Empty(Read(database));
    }

    [Theory]
    [InlineData("ReplacementOf/A", "A", false)]
    [InlineData("replacementof/A", "A", false)]
    [InlineData("Auto/A/ByB", null, true)]
    [InlineData("ReplacementOf/Auto/A/ByB", "Auto/A/ByB", true)]
    [InlineData("A/Auto/B", null, false)]
    [InlineData("A", null, false)]
    public void Name_TellsReplacementsAndAutoIndexes(string name, string? replaces, bool isAuto)
    {
        IndexRecord record = Record(name, "f");
        Assert.Equal(replaces, record.Replaces);
        Assert.Equal(isAuto, record.IsAuto);
    }

    private static DocumentDatabase Open(MemoryPlatform platform) =>
        DocumentDatabase.Open(platform, "/db", "db", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());

    private static async Task WriteAsync(DocumentDatabase database, string[] removed, IndexRecord[] written)
    {
        Written result = await database.WriteAsync(new WriteIndexRecordsCommand(removed, written));
        Assert.Equal(WriteStatus.Applied, result.Status);
    }

    private static List<IndexRecord> Read(DocumentDatabase database)
    {
        using DocumentReadScope read = database.BeginRead();
        return IndexRecordTable.ReadAll(read.Transaction);
    }

    private static IndexRecord Record(string name, string folder, IndexState state = IndexState.Normal) => new()
    {
        Name = name,
        Folder = folder,
        Definition = Encoding.UTF8.GetBytes("{}"),
        State = state,
        LockMode = IndexLockMode.LockedError,
        Priority = IndexPriority.High,
        CreatedTicks = 17,
    };
}
