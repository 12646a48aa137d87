using System.Collections.Concurrent;
using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Tests.Database;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage;
using Jackdaw.TestKit;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Documents.Tests.Databases;

/// <summary>Databases that are opened after the start without a request.</summary>
public sealed class BackgroundOpeningTests
{
    private const int Databases = 12;
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(1);
    private readonly MemoryPlatform _platform = new();
    private readonly ConcurrentQueue<string> _log = [];
    private readonly TaskCompletionSource _goOn = new();
    private int _opening;
    private int _most;

    [Fact]
    public async Task Start_DatabasesWhosePartsAskForIt_AreOpenedAFewAtATime()
    {
        await CreateAsync();
        RecordedKind kind = Kind(database => database.Name != "d1");
        await using DatabaseCatalog store = await OpenAsync([kind]);

        // The start did not wait for them, and nobody else does.
        await Eventually.IsTrueAsync(() => Volatile.Read(ref _opening) == DatabaseCatalog.BackgroundOpeningsMax);
        Assert.Equal(DatabaseLookupStatus.Open, (await store.FindOpenAsync("d1-other", s_patience, default)).Status);
        _goOn.SetResult();
        await Eventually.IsTrueAsync(() => Enumerable.Range(0, Databases).Count(i => store.Find($"d{i}").Status == DatabaseLookupStatus.Open) == Databases - 1);
        Assert.Equal(DatabaseLookupStatus.Idle, store.Find("d1").Status);
        Assert.Equal(DatabaseLookupStatus.Disabled, store.Find("off").Status);
        Assert.Equal(DatabaseCatalog.BackgroundOpeningsMax, _most);
    }

    [Fact]
    public async Task Stop_WhileDatabasesAreOpened_EndsSoonAndOpensNoOther()
    {
        await CreateAsync();
        DatabaseCatalog store = await OpenAsync([Kind(_ => true)]);
        await Eventually.IsTrueAsync(() => Volatile.Read(ref _opening) == DatabaseCatalog.BackgroundOpeningsMax);
        await store.DisposeAsync().AsTask().WaitAsync(s_patience);
        Assert.Equal(0, _opening);
        Assert.Equal(DatabaseCatalog.BackgroundOpeningsMax, _log.Count(line => line.StartsWith("open", StringComparison.Ordinal)));
    }

    /// <summary>A part that has work must not wait for a request because its files cannot be looked at.</summary>
    [Fact]
    public async Task Kind_ThatFailsToSay_HasItsDatabaseOpened()
    {
        await CreateAsync();
        _goOn.SetResult();
        await using DatabaseCatalog store = await OpenAsync([Kind(_ => throw new IOException("no"))]);
        await Eventually.IsTrueAsync(() => store.Find("d0").Status == DatabaseLookupStatus.Open);
    }

    private RecordedKind Kind(Func<ClosedDatabase, bool> needs) => new("indexes", host =>
    [
        new RecordedPart("index", host, _log)
        {
            WhenOpened = async part =>
            {
                if (host.Database.Name.EndsWith("other", StringComparison.Ordinal))
                {
                    return;
                }

                int now = Interlocked.Increment(ref _opening);
                _most = Math.Max(_most, now);
                try
                {
                    await _goOn.Task.WaitAsync(part.Stop);
                }
                finally
                {
                    Interlocked.Decrement(ref _opening);
                }
            },
        },
    ])
    {
        Needs = database =>
        {
            Assert.Equal($"/data/Databases/{database.Name}", database.Folder);
            Assert.True(_platform.Exists(database.Folder + "/headers"));
            return !database.Name.EndsWith("other", StringComparison.Ordinal) && needs(database);
        },
    };

    private async Task CreateAsync()
    {
        await using DatabaseCatalog store = await OpenAsync([]);
        foreach (string name in Enumerable.Range(0, Databases).Select(i => $"d{i}").Concat(["d1-other", "off"]))
        {
            await store.PutRecordAsync(name, Encoding.UTF8.GetBytes("{}"), null, default);
            await store.Find(name).Database!.PutAsync("users/1", TestCommands.Json("Users", 1));
        }

        await store.SetDisabledAsync("off", true, default);
    }

    private Task<DatabaseCatalog> OpenAsync(IReadOnlyList<DatabasePartKind> kinds) => DatabaseCatalog.OpenAsync(
        _platform, "/data", new StorageOptions(), kinds, new Progress<RecoveryProgress>(), NullLogger.Instance, default);
}
