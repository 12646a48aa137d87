using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage;
using Microsoft.Extensions.Logging.Abstractions;
using Xunit.Abstractions;

namespace Jackdaw.Documents.Tests.Databases;

/// <summary>Databases are created, deleted, switched off and on, written, read and hit by faults at once, beside a model of what must be there.</summary>
public sealed class DatabaseCatalogModelTests(ITestOutputHelper output)
{
    private const int Rounds = 2;
    private const int StepsOfARound = 25;

    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(0)] // another one each time
    public async Task Life_OfThreeDatabases_IsThatOfTheModel(int seed)
    {
        seed = seed == 0 ? Random.Shared.Next() : seed;
        output.WriteLine($"Seed {seed}.");
        var platform = new SimulatedPlatform(seed);
        Model[] models = [new("shop"), new("Mail"), new("log.1")];
        for (int round = 0; round < Rounds; round++)
        {
            await using DatabaseCatalog store = await OpenAsync(platform);
            await EndAsync(CheckAllAsync(store, models), $"Seed {seed}, round {round}: the check does not end.");
            await RunAsync(store, platform, models, HashCode.Combine(seed, round), $"Seed {seed}, round {round}: these do not end: ");
            platform.ClearFaults();

            // A power cut at this instant, and an orderly stop with the next round's start.
            await using DatabaseCatalog crashed = await OpenAsync(platform.Crash(seed + round));
            await EndAsync(CheckAllAsync(crashed, models), $"Seed {seed}, round {round}: the check after a crash does not end.");
        }

        await using DatabaseCatalog last = await OpenAsync(platform);
        await EndAsync(CheckAllAsync(last, models), $"Seed {seed}: the last check does not end.");
        Assert.All(models, model => Assert.True(model.AcknowledgedCount > 0, $"Seed {seed}: nothing was written to {model.Name}."));
    }

    private static async Task RunAsync(DatabaseCatalog store, SimulatedPlatform platform, Model[] models, int seed, string message)
    {
        Array.ForEach(models, model => model.IsOver = false);
        Task[] tasks = [.. models.SelectMany((model, i) => new[]
        {
            Task.Run(() => AdministerAsync(store, platform, model, new Random(seed + i))),
            Task.Run(() => WriteAsync(store, model, new Random(seed + i + 100))),
            Task.Run(() => ReadAsync(store, model, new Random(seed + i + 200))),
            Task.Run(() => ReadAsync(store, model, new Random(seed + i + 300))),
        })];
        await EndAsync(Task.WhenAll(tasks), message, () =>
            string.Join("; ", models.Select(model => $"{model.Name} in {model.Doing}, {store.Find(model.Name).Status}")));
    }

    // One administrator for each database, so that the model knows what each answer must be.
    private static async Task AdministerAsync(DatabaseCatalog store, SimulatedPlatform platform, Model model, Random random)
    {
        try
        {
            for (int step = 0; step < StepsOfARound; step++)
            {
                string name = random.Next(2) == 0 ? model.Name : model.Name.ToUpperInvariant();
                int choice = random.Next(10);
                model.Doing = $"step {step}, choice {choice}";
                await (choice switch
                {
                    <= 3 => CreateAsync(store, model, name),
                    4 => DeleteHardAsync(store, platform, model, name, isHeldUp: random.Next(2) == 0),
                    5 => DeleteSoftAsync(store, model, name),
                    6 => SwitchAsync(store, model, name, isDisabled: true),
                    7 or 8 => SwitchAsync(store, model, name, isDisabled: false),
                    _ => Task.Run(() => platform.Inject(Fault(PalOperationKind.WriteJournal, model.Folder + "/"))),
                });
                await Task.Delay(random.Next(5)); // so that steps meet those of others at any point
            }
        }
        finally
        {
            model.IsOver = true;
        }
    }

    private static async Task CreateAsync(DatabaseCatalog store, Model model, string name)
    {
        try
        {
            RecordWriteResult result = await store.PutRecordAsync(name, Encoding.UTF8.GetBytes("{}"), null, default);
            Assert.Equal(model.Exists ? RecordWriteStatus.AlreadyExists : RecordWriteStatus.Written, result.Status);
            model.Create(result.Record!.DatabaseId);
            await CheckAsync(store, model);
        }
        catch (IOException) when (!model.Exists)
        {
            // A fault hit the opening: the name is free.
            Assert.Equal(DatabaseLookupStatus.Missing, store.Find(name).Status);
        }
    }

    private static async Task DeleteHardAsync(DatabaseCatalog store, SimulatedPlatform platform, Model model, string name, bool isHeldUp)
    {
        if (isHeldUp && model.Exists)
        {
            platform.Inject(Fault(PalOperationKind.DeleteDirectory, model.Folder));
            await Assert.ThrowsAsync<PalException>(() => store.DeleteAsync(name, true, default).AsTask());
            Assert.Equal(DatabaseLookupStatus.Missing, store.Find(name).Status);
        }

        RecordWriteResult result = await store.DeleteAsync(name, true, default);
        Assert.Equal(model.Exists ? RecordWriteStatus.Written : RecordWriteStatus.Missing, result.Status);
        if (model.Exists)
        {
            Assert.False(platform.Exists(model.Folder), $"The folder of {name} is there after its deletion.");
            model.Delete(hard: true);
        }
    }

    private static async Task DeleteSoftAsync(DatabaseCatalog store, Model model, string name)
    {
        RecordWriteResult result = await store.DeleteAsync(name, false, default);
        Assert.Equal(model.Exists ? RecordWriteStatus.Written : RecordWriteStatus.Missing, result.Status);
        Assert.Equal(DatabaseLookupStatus.Missing, store.Find(name).Status);
        model.Delete(hard: false);
    }

    private static async Task SwitchAsync(DatabaseCatalog store, Model model, string name, bool isDisabled)
    {
        RecordWriteResult result = await store.SetDisabledAsync(name, isDisabled, default);
        Assert.Equal(model.Exists ? RecordWriteStatus.Written : RecordWriteStatus.Missing, result.Status);
        if (model.Exists)
        {
            Assert.Equal(isDisabled, store.Find(name).Status == DatabaseLookupStatus.Disabled);
        }
    }

    private static async Task WriteAsync(DatabaseCatalog store, Model model, Random random)
    {
        while (!model.IsOver)
        {
            string id = model.NextId();
            try
            {
                if ((await store.FindOpenAsync(model.Name, s_deadline, default)).Database is { } database)
                {
                    Written result = await database.WriteAsync(TestCommands.Put(id, TestCommands.Json("Users", 1)));
                    Assert.True(result.Status is WriteStatus.Applied or WriteStatus.Closing, $"A write was answered {result.Status}.");
                    if (result.Status == WriteStatus.Applied)
                    {
                        model.Acknowledge(database.DatabaseId, id);
                    }
                }
            }
            catch (Exception e) when (e is StoragePoisonedException or PalException)
            {
                // Refused or in doubt: nobody looks for it.
            }

            await Task.Delay(random.Next(2)); // the pace of a writer
        }
    }

    private static async Task ReadAsync(DatabaseCatalog store, Model model, Random random)
    {
        while (!model.IsOver)
        {
            DatabaseLookup lookup = await store.FindOpenAsync(model.Name.ToLowerInvariant(), s_deadline, default);
            if (lookup.Database is { } database && TryBeginRead(database) is { } scope)
            {
                using (scope)
                {
                    (string[] kept, _) = model.Expect(database.DatabaseId);
                    bool[] found = [.. kept.Select(id => scope.TryGet(TestCommands.Key(id), out _))];
                    await Task.Delay(random.Next(20) == 0 ? 50 : random.Next(5)); // a reader that takes time
                    Assert.Equal(found, kept.Select(id => scope.TryGet(TestCommands.Key(id), out _)));
                    Assert.True(database.SizeBytes >= 0);
                    _ = database.Figures; // may not throw, whoever closes it
                }
            }

            await Task.Delay(random.Next(3)); // the pace of a reader
        }
    }

    private static async Task CheckAllAsync(DatabaseCatalog store, Model[] models)
    {
        foreach (Model model in models)
        {
            Assert.Equal(model.Exists, store.GetRecord(model.Name) is not null);
            if (model.Exists)
            {
                await store.SetDisabledAsync(model.Name, false, default);
                Assert.Equal((DatabaseLookupStatus.Open, null), (store.Find(model.Name).Status, store.Find(model.Name).Reason));
                Assert.True(await CheckAsync(store, model), $"{model.Name} cannot be read.");
            }
        }
    }

    /// <summary>What was acknowledged is there, and nothing of another database that had the name. False: it could not be read.</summary>
    private static async Task<bool> CheckAsync(DatabaseCatalog store, Model model)
    {
        DatabaseLookup lookup = await store.FindOpenAsync(model.Name, s_deadline, default);
        (string[] kept, string[] gone) = model.Expect(model.DatabaseId!); // before the snapshot
        if (lookup.Database is not { } database || TryBeginRead(database) is not { } scope)
        {
            return false;
        }

        using (scope)
        {
            Assert.Equal(model.DatabaseId, database.DatabaseId);
            Assert.All(kept, id => Assert.True(scope.TryGet(TestCommands.Key(id), out _), $"{id} of {model.Name} is lost."));
            Assert.All(gone, id => Assert.False(scope.TryGet(TestCommands.Key(id), out _), $"{id} of {model.Name} came back."));
            return true;
        }
    }

    /// <summary>Null when the database was closed, or stopped, in between.</summary>
    private static DocumentReadScope? TryBeginRead(DocumentDatabase database)
    {
        try
        {
            return database.BeginRead();
        }
        catch (Exception e) when (e is StoragePoisonedException or ObjectDisposedException)
        {
            return null;
        }
    }

    private static SimulatedFault Fault(PalOperationKind kind, string path) => new() { Effect = FaultEffect.IoError, Kind = kind, PathContains = path };

    private static async Task EndAsync(Task task, string message, Func<string>? state = null)
    {
        try
        {
            await task.WaitAsync(s_deadline);
        }
        catch (TimeoutException) when (!task.IsCompleted)
        {
            Assert.Fail(message + state?.Invoke());
        }
    }

    private static Task<DatabaseCatalog> OpenAsync(IPlatform platform) => DatabaseCatalog.OpenAsync(
        platform, "/data", new StorageOptions(), new Progress<RecoveryProgress>(), NullLogger.Instance, default);

    /// <summary>What the databases of one name must have. The id of a database tells which of them took a write, whoever deletes meanwhile.</summary>
    private sealed class Model(string name)
    {
        private readonly Lock _lock = new(); // guards the next one
        private readonly List<(string DatabaseId, string Id)> _acknowledged = [];
        private readonly HashSet<string> _deleted = [];
        private int _lastId;
        private volatile bool _isOver;

        public string Name => name;

        public string Folder { get; } = "/data/Databases/" + name.ToLowerInvariant();

        public bool Exists { get; private set; }

        /// <summary>Of the files, those of a soft deletion too; null when there are none that matter.</summary>
        public string? DatabaseId { get; private set; }

        public string Doing { get; set; } = "";

        public bool IsOver { get => _isOver; set => _isOver = value; }

        public int AcknowledgedCount => _acknowledged.Count;

        public string NextId() => $"users/{Interlocked.Increment(ref _lastId)}";

        public void Create(string databaseId)
        {
            Assert.Equal(DatabaseId ?? databaseId, databaseId);
            Assert.DoesNotContain(databaseId, _deleted);
            (DatabaseId, Exists) = (databaseId, true);
        }

        public void Delete(bool hard)
        {
            Exists = false;
            if (hard)
            {
                _deleted.Add(DatabaseId!);
                DatabaseId = null;
            }
        }

        public void Acknowledge(string databaseId, string id)
        {
            lock (_lock)
            {
                _acknowledged.Add((databaseId, id));
            }
        }

        public (string[] Kept, string[] Gone) Expect(string databaseId)
        {
            lock (_lock)
            {
                ILookup<bool, string> ids = _acknowledged.ToLookup(each => each.DatabaseId == databaseId, each => each.Id);
                return ([.. ids[true]], [.. ids[false]]);
            }
        }
    }
}
