using Jackdaw.Documents.Database;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Native;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Tests.Database;

/// <summary>The contract on a storage in memory.</summary>
public sealed class StoredInMemoryContractTests : DatabaseContractTests, IAsyncLifetime
{
    private readonly DocumentDatabase _database = DocumentDatabase.Open(
        new MemoryPlatform(), "/db", "db", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());

    protected override DocumentDatabase Database => _database;

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync() => await _database.DisposeAsync();
}

/// <summary>The contract on files.</summary>
public sealed class DatabaseOnDiskContractTests : DatabaseContractTests, IAsyncLifetime
{
    private readonly string _folder = Directory.CreateTempSubdirectory("jackdaw-documents").FullName;
    private readonly DocumentDatabase _database;

    public DatabaseOnDiskContractTests() => _database = DocumentDatabase.Open(
        new NativePlatform(), _folder, "db", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());

    protected override DocumentDatabase Database => _database;

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        await _database.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }
}
