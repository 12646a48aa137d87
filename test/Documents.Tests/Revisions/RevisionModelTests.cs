using System.Text;
using System.Text.Json;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Revisions.Walks;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage;
using Jackdaw.Storage.Compaction;
using Jackdaw.Storage.Verification;
using Jackdaw.TestKit;

namespace Jackdaw.Documents.Tests.Revisions;

/// <summary>Random writes, configurations, reverts and removals against a plain model, with reopens, compactions and old snapshots.</summary>
public sealed class RevisionModelTests
{
    private static readonly string[] s_collections = ["Users", "users", "Orders", "@empty"];

    private readonly ManualTime _time = new();
    private readonly DatabaseSettings _settings = new();
    private RevisionModel _model = new();
    private Random _random = new(0);

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public Task RandomSteps_AgainstTheModel_AreTheSame(int seed) => RunAsync(seed, 400);

    [Theory]
    [Trait("Tier", "Full")]
    [MemberData(nameof(ManySeeds))]
    public Task ManyRandomSteps_AgainstTheModel_AreTheSame(int seed) => RunAsync(seed, 2_000);

    public static TheoryData<int> ManySeeds => [.. Enumerable.Range(100, 50)];

    private async Task RunAsync(int seed, int steps)
    {
        _random = new Random(seed);
        var platform = new MemoryPlatform();
        string id = DocumentDatabase.MakeDatabaseId();
        DocumentDatabase database = Open(platform, id);
        (DocumentReadScope Scope, RevisionModel Model)? old = null;
        try
        {
            for (int step = 0; step < steps; step++)
            {
                string script = $"seed {seed}, step {step}";
                await StepAsync(database, script);
                if (step % 20 != 19)
                {
                    continue;
                }

                using (DocumentReadScope now = database.BeginRead())
                {
                    Compare(now, database.Replica, _model, script);
                }

                if (old is { } snapshot)
                {
                    Compare(snapshot.Scope, database.Replica, snapshot.Model, script + ", old snapshot");
                    snapshot.Scope.Dispose();
                    old = null;
                }

                if (_random.Next(3) == 0)
                {
                    database = await ReopenAsync(database, platform, id, script);
                }
                else
                {
                    old = (database.BeginRead(), _model.Clone());
                }
            }
        }
        finally
        {
            old?.Scope.Dispose();
            await database.DisposeAsync();
        }
    }

    private async Task<DocumentDatabase> ReopenAsync(DocumentDatabase database, MemoryPlatform platform, string id, string script)
    {
        if (_random.Next(2) == 0)
        {
            database.Environment.Abandon();
        }

        await database.DisposeAsync();
        if (_random.Next(2) == 0)
        {
            StorageCompaction.Run(platform, "/db", DatabaseSchemas.Standard);
            script += ", compacted";
        }

        database = Open(platform, id);
        Assert.Empty(EnvironmentVerifier.Verify(database.Environment, DatabaseSchemas.Standard));
        using DocumentReadScope read = database.BeginRead();
        Compare(read, database.Replica, _model, script + ", reopened");
        return database;
    }

    private async Task StepAsync(DocumentDatabase database, string script)
    {
        _time.Advance(TimeSpan.FromSeconds(_random.Next(3)));
        _model.Now = _time.GetUtcNow().UtcTicks;
        switch (_random.Next(40))
        {
            case 0:
                Configure();
                break;
            case 1:
                await EnforceAsync(database);
                break;
            case 2:
                await RevertToAsync(database);
                break;
            case 3 or 4:
                await RemoveAsync(database, script);
                break;
            case 5:
                await RefuseAsync(database, script);
                break;
            default:
                await WriteAsync(database, script);
                break;
        }
    }

    private void Configure()
    {
        _model.Default = _random.Next(2) == 0 ? null : MakeRules();
        _model.Collections.Clear();
        foreach (string collection in (ReadOnlySpan<string>)["users", "orders"])
        {
            if (_random.Next(2) == 0)
            {
                _model.Collections[collection] = MakeRules();
            }
        }

        if (_random.Next(5) == 0)
        {
            (_model.Default, _settings.Revisions) = (null, null);
            _model.Collections.Clear();
            return;
        }

        string collections = string.Join(',', _model.Collections.Select(one => $"\"{one.Key}\":{one.Value.ToJson()}"));
        string json = $$$"""{"Default":{{{_model.Default?.ToJson() ?? "null"}}},"Collections":{{{{collections}}}}}""";
        using JsonDocument parsed = JsonDocument.Parse(json);
        Assert.True(RevisionsConfiguration.TryRead(parsed.RootElement, out RevisionsConfiguration? read, out string? problem), problem);
        _settings.Revisions = read;
    }

    private ModelRules MakeRules() => new(
        _random.Next(6) == 0, _random.Next(4) == 0, Maybe(6), _random.Next(3) == 0 ? TimeSpan.FromSeconds(_random.Next(60)) : null, Maybe(4));

    private int? Maybe(int below) => _random.Next(2) == 0 ? _random.Next(below) : null;

    private async Task EnforceAsync(DocumentDatabase database)
    {
        bool includesForced = _random.Next(2) == 0;
        var figures = new RevisionFigures("x", "y");
        await new RevisionEnforcement(database, _settings.Revisions, figures, _time)
        {
            IncludesForced = includesForced,
            RevisionsPerStep = _random.Next(1, 20),
        }.RunAsync(default);
        long before = _model.Revisions.Values.Sum(list => list.Count);
        _model.Enforce(includesForced);
        Assert.Equal(before - _model.Revisions.Values.Sum(list => list.Count), figures.Changed);
    }

    private async Task RevertToAsync(DocumentDatabase database)
    {
        long ticks = _model.Now - TimeSpan.FromSeconds(_random.Next(30)).Ticks;
        await new DatabaseRevert(database, _settings.Revisions, ticks, null, new RevisionFigures("x", "y"))
        {
            RevisionsPerStep = _random.Next(1, 20),
        }.RunAsync(default);
        _model.RevertTo(ticks);
    }

    private async Task RemoveAsync(DocumentDatabase database, string script)
    {
        string key = MakeKey();
        long[] etags = [.. _model.RevisionsOf(key).Where(_ => _random.Next(2) == 0).Select(one => one.Etag), 1_000_000];
        var command = new DeleteRevisionsCommand(TestCommands.Key(key), [.. etags.Select(etag => new Etag(etag))]);
        Assert.Equal(WriteStatus.Applied, (await WriteAsync(database, command)).Status);
        Assert.True(command.Removed == _model.Remove(key, etags), script);
    }

    // After what it wrote, a batch is refused: nothing of it stays.
    private async Task RefuseAsync(DocumentDatabase database, string script)
    {
        string key = MakeKey();
        DocumentCommand[] commands =
        [
            TestCommands.Put(key, Body("Users")),
            TestCommands.Delete(MakeKey()),
            new RevertCommand(TestCommands.Key(key), new Etag(1_000_000)) { IsRequired = true },
        ];
        WriteOutcome outcome = await WriteAsync(database, commands);
        Assert.True((WriteStatus.NothingToRevise, 2) == (outcome.Status, outcome.FailedCommand), script);
    }

    private async Task WriteAsync(DocumentDatabase database, string script)
    {
        RevisionModel after = _model.Clone();
        List<DocumentCommand> commands = [];
        for (int i = _random.Next(1, 4); i > 0; i--)
        {
            commands.Add(MakeCommand(after));
        }

        Assert.True(WriteStatus.Applied == (await WriteAsync(database, [.. commands])).Status, script);
        _model = after;
    }

    private static async Task<WriteOutcome> WriteAsync(DocumentDatabase database, params DocumentCommand[] commands) =>
        await database.WriteAsync(new WriteBatch { Commands = commands }, default);

    private DocumentCommand MakeCommand(RevisionModel model)
    {
        string key = MakeKey();
        ModelRevision[] revisions = [.. model.RevisionsOf(key)];
        switch (_random.Next(10))
        {
            case 0 or 1 or 2:
                model.Delete(key);
                return TestCommands.Delete(key);
            case 3 when model.Documents.ContainsKey(key):
                model.Force(key);
                var force = new ForceRevisionCommand();
                force.SetId(Encoding.UTF8.GetBytes(key), TestCommands.Key(key));
                return force;
            case 4 when revisions.Length > 0:
                ModelRevision target = revisions[_random.Next(revisions.Length)];
                model.Revert(key, target);
                return new RevertCommand(TestCommands.Key(key), new Etag(target.Etag));
            default:
                string collection = s_collections[_random.Next(s_collections.Length)];
                string body = Body(collection);
                PutCommand put = TestCommands.Put(key, body);
                model.Put(key, collection, Encoding.UTF8.GetString(put.Document.Bytes.Span));
                return put;
        }
    }

    private string MakeKey() => $"users/{_random.Next(12)}";

    private string Body(string collection)
    {
        string filler = new('f', _random.Next(20) == 0 ? _random.Next(9000) : _random.Next(30));
        return $$$"""{"F":"{{{filler}}}","@metadata":{"@collection":"{{{collection}}}"}}""";
    }

    private static void Compare(DocumentReadScope read, Replica replica, RevisionModel model, string script)
    {
        var reader = new RevisionReader(read.Transaction, replica);
        Assert.True(read.LastEtag.Value == model.LastEtag, $"{script}: last etag {read.LastEtag.Value}, not {model.LastEtag}");
        Assert.Equal((model.Documents.Count, model.Revisions.Values.Sum(list => list.Count)), (read.Counts.Documents, read.Counts.Revisions));
        Assert.Equal(model.Bin, reader.Trees.ListBin(Etag.Maximum).Select(etag => etag.Value));
        Assert.Equal(model.Bin.Skip(1), reader.Trees.ListBin(new Etag(model.Bin.FirstOrDefault())).Select(etag => etag.Value));
        Assert.Equal(
            model.Revisions.Keys.Order(StringComparer.Ordinal), reader.Trees.ListDocuments(default, int.MaxValue).Select(Encoding.UTF8.GetString));
        for (int i = 0; i < 12; i++)
        {
            CompareDocument(read, reader, replica, model, $"users/{i}", script);
        }
    }

    private static void CompareDocument(
        DocumentReadScope read, RevisionReader reader, Replica replica, RevisionModel model, string key, string script)
    {
        bool isThere = model.Documents.TryGetValue(key, out ModelDocument? document);
        Assert.True(read.TryGet(TestCommands.Key(key), out StoredDocument stored) == isThere, $"{script}: {key}");
        if (document is not null)
        {
            Assert.True(
                (document.Etag, document.Ticks, model.FlagsOf(key), document.Body)
                    == (stored.Etag.Value, stored.LastModifiedTicks, stored.Flags, Encoding.UTF8.GetString(stored.Body)),
                $"{script}: {key} has {stored.Etag} {stored.Flags} instead of {document.Etag} {model.FlagsOf(key)}");
        }

        List<ModelRevision> found = [];
        using RevisionCursor cursor = reader.Open(TestCommands.Key(key), Etag.Maximum);
        while (cursor.MoveNext())
        {
            RevisionRow row = cursor.Current;
            found.Insert(0, new ModelRevision(
                row.Etag.Value, row.LastModifiedTicks, row.Flags, Encoding.UTF8.GetString(row.ToStored().Collection), Encoding.UTF8.GetString(row.Body)));
            Assert.Equal(row.Etag, cursor.CurrentEtag);
            Assert.True(reader.TryGet(Encoding.ASCII.GetBytes(replica.TextOf(row.Version)), out RevisionRow same) && same.Etag == row.Etag);
        }

        Assert.True(
            model.RevisionsOf(key).SequenceEqual(found),
            $"{script}: {key}\n{string.Join('\n', found.Select(Short))}\ninstead of\n{string.Join('\n', model.RevisionsOf(key).Select(Short))}");
        Assert.Equal(found.Count, reader.Trees.Count(TestCommands.Key(key)));
        Assert.True((reader.Trees.RemovedAt(TestCommands.Key(key)) != Etag.None) == model.Incomplete.Contains(key), $"{script}: {key}");
        foreach (ModelRevision one in found)
        {
            ModelRevision expected = found.FindLast(other => other.Ticks <= one.Ticks)!;
            Assert.True(reader.TryGetAt(TestCommands.Key(key), one.Ticks, out RevisionRow at) && at.Etag.Value == expected.Etag, script);
        }

        static string Short(ModelRevision one) => $"{one.Etag} {one.Ticks} {one.Flags} {one.Collection} {one.Body.Length}";
    }

    private DocumentDatabase Open(IPlatform platform, string id) =>
        DocumentDatabase.Open(platform, "/db", "db", id, _settings, new StorageOptions { Time = _time });
}
