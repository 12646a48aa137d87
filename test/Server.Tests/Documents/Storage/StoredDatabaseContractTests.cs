using Jackdaw.Documents.Store;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Native;
using Jackdaw.Storage;

namespace Jackdaw.Server.Tests.Documents.Storage;

/// <summary>The contract on a storage in memory.</summary>
public sealed class StoredInMemoryContractTests : DatabaseContractTests, IAsyncLifetime
{
    private readonly StoredDatabase _database = StoredDatabase.Open(
        new MemoryPlatform(), "/db", "db", StoredDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());

    protected override DocumentDatabase Database => _database;

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync() => await _database.DisposeAsync();
}

/// <summary>The contract on files.</summary>
public sealed class StoredOnDiskContractTests : DatabaseContractTests, IAsyncLifetime
{
    private readonly string _folder = Directory.CreateTempSubdirectory("jackdaw-documents").FullName;
    private readonly StoredDatabase _database;

    public StoredOnDiskContractTests() => _database = StoredDatabase.Open(
        new NativePlatform(), _folder, "db", StoredDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());

    protected override DocumentDatabase Database => _database;

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        await _database.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }
}
