using System.Text;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Expiration;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Schedules;
using Jackdaw.Documents.Tests.Attachments;
using Jackdaw.Documents.Tombstones;
using Jackdaw.Pal.InMemory;
using Jackdaw.Scripting.Caching;
using Jackdaw.Storage;
using Jackdaw.Storage.Verification;
using Jackdaw.TestKit;

namespace Jackdaw.Documents.Tests.Models;

/// <summary>One database and its model through random batches and everything that happens between them.</summary>
internal sealed class TogetherRun(int seed, QueryScripts scripts) : IAsyncDisposable
{
    public const string DatabaseId = "F9I6Egqwm0Kz+K0oFVIR9Q";

    private static readonly ScheduleKind[] s_kinds = [ScheduleKind.Expire, ScheduleKind.Refresh, ScheduleKind.Archive];

    private readonly Random _random = new(seed);
    private readonly MemoryPlatform _platform = new();
    private readonly ManualTime _time = new();
    private readonly DatabaseSettings _settings = new();
    private readonly TogetherSender _sender = new(scripts);
    private readonly List<(DocumentReadScope Scope, TogetherModel Model, string Script)> _snapshots = [];
    private readonly Dictionary<string, (long Version, string Vector)> _vectors = [];
    private TogetherModel _model = new();
    private DocumentDatabase _database = null!;
    private long _lastEtag;
    private string _script = "";

    /// <summary>How often each kind has succeeded.</summary>
    public Dictionary<string, int> Done { get; } = [];

    /// <summary>Commands of batches, applied and refused ones.</summary>
    public int Commands { get; private set; }

    public async Task RunAsync(int commands)
    {
        _database = Open();
        for (int step = 0; Commands < commands; step++)
        {
            _script = $"seed {seed}, batch {step}";
            await StepAsync();
            if (step % 4 == 3)
            {
                Compare();
            }
        }

        Compare();
        CompareSnapshots(_snapshots.Count);
        await ReopenAsync();
    }

    public async ValueTask DisposeAsync()
    {
        _snapshots.ForEach(one => one.Scope.Dispose());
        _sender.Dispose();
        await _database.DisposeAsync();
    }

    private Task StepAsync()
    {
        switch (_random.Next(60))
        {
            case 0:
                Configure();
                return Task.CompletedTask;
            case 1 or 2 or 3:
                return RevertAsync();
            case 4 or 5:
                return PurgeAsync();
            case 6 or 7 or 8:
                return SettleAsync();
            case 9:
                return TrimAsync();
            case 10:
                return AttachmentBed.CollectAsync(_database);
            case 11 when _random.Next(4) == 0:
                return ReopenAsync();
            case < 16:
                Hold();
                return Task.CompletedTask;
            case < 25:
                return WriteAsync(isClusterWide: true);
            default:
                return WriteAsync(isClusterWide: false);
        }
    }

    private async Task WriteAsync(bool isClusterWide)
    {
        TogetherModel after = _model.Clone();
        var batch = new TogetherBatch(after, _random, _time.GetUtcNow().UtcDateTime);
        if (isClusterWide)
        {
            batch.MakeClusterWide(index => $"TRXN:{index}-{DatabaseId}");
        }
        else
        {
            batch.Make(VectorOf);
        }

        if (batch.Commands.Count == 0)
        {
            return;
        }

        Commands += batch.Commands.Count;
        bool isApplied = await _sender.SendAsync(_database, batch, after, TogetherSender.InMemory(batch), _script);
        Assert.True(isApplied != batch.IsRefused, $"{_script}: applied {isApplied}, must be refused {batch.IsRefused}: {batch.Json}");
        _script += $": {batch.Json}";
        if (isApplied)
        {
            after.EndBatch();
            CheckLastEtag(after);
            _model = after;
            batch.Kinds.ForEach(kind => Note(kind));
        }
        else
        {
            Note("refused");
            Compare();
        }
    }

    private void Configure()
    {
        _model = _model.Clone();
        TogetherRules.Choose(_model.Rules, _random);
        _settings.Revisions = TogetherRules.Read(_model.Rules);
        Note("configuration");
    }

    private async Task RevertAsync()
    {
        if (PickRevised() is not { } key)
        {
            return;
        }

        int at = _random.Next(_model.RevisionsOf(key).Count);
        TogetherModel after = _model.Clone();
        after.Revert(key, after.RevisionsOf(key)[at]);
        after.EndBatch();
        var revert = new RevertCommand(Encoding.UTF8.GetBytes(key), EtagsOf(key)[at]) { IsRequired = true };
        WriteOutcome outcome = await AttachmentBed.WriteAsync(_database, revert);
        Assert.True(outcome.Status == WriteStatus.Applied, $"{_script}: {outcome.Status}");
        CheckLastEtag(after);
        _model = after;
        Note("revert");
        _script += $": revert of {key} to {at}";
        Compare();
    }

    private async Task PurgeAsync()
    {
        if (PickRevised() is not { } key)
        {
            return;
        }

        TogetherModel after = _model.Clone();
        List<Etag> etags = EtagsOf(key);
        int[] removed = [.. Enumerable.Range(0, etags.Count).Where(_ => _random.Next(2) == 0)];
        after.RemoveRevisions(key, [.. removed.Select(at => after.RevisionsOf(key)[at])]);
        WriteOutcome outcome = await AttachmentBed.WriteAsync(
            _database, new DeleteRevisionsCommand(Encoding.UTF8.GetBytes(key), [.. removed.Select(at => etags[at])]));
        Assert.True(outcome.Status == WriteStatus.Applied, $"{_script}: {outcome.Status}");
        _model = after;
        Note("purge");
    }

    private async Task SettleAsync()
    {
        _time.Advance(TimeSpan.FromMinutes(_random.Next(20)));
        long now = _time.GetUtcNow().UtcTicks;
        TogetherModel after = _model.Clone();
        int due = after.Settle(_time.GetUtcNow().UtcDateTime);
        int done = 0;
        foreach (ScheduleKind kind in s_kinds)
        {
            DocumentCommand[] commands = ReadScheduled(kind, now);
            done += commands.Length;
            Assert.Equal(WriteStatus.Applied, (await AttachmentBed.WriteAsync(_database, commands)).Status);
        }

        Assert.True(done == due, $"{_script}: {done} documents were due instead of {due}");
        _model = after;
        Note("due", done);
        _script += $": {done} due";
        Compare();
    }

    private DocumentCommand[] ReadScheduled(ScheduleKind kind, long now)
    {
        using DocumentReadScope read = _database.BeginRead();
        return ScheduledBatch.Make(read, ScheduleTree.ReadScheduled(read.Transaction.Trees, kind, now, 1000));
    }

    private async Task TrimAsync()
    {
        _time.Advance(TombstoneTrimmer.KeptWithoutHolder);
        while (await _database.TrimAsync(default))
        {
        }

        using DocumentReadScope read = _database.BeginRead();
        Assert.True(read.Counts.Tombstones == 0, $"{_script}: {read.Counts.Tombstones} tombstones were not trimmed");
        Note("trim");
    }

    private async Task ReopenAsync()
    {
        CompareSnapshots(_snapshots.Count);
        await AttachmentBed.CollectAsync(_database);
        await _database.DisposeAsync();
        _database = Open();
        Assert.Empty(EnvironmentVerifier.Verify(_database.Environment, DatabaseSchemas.Standard));
        Note("reopen");
        _script += ", reopened";
        Compare();
    }

    private void Hold()
    {
        if (_snapshots.Count == 4)
        {
            CompareSnapshots(1);
        }

        _snapshots.Add((_database.BeginRead(), _model, _script));
    }

    private void CompareSnapshots(int count)
    {
        foreach ((DocumentReadScope scope, TogetherModel model, string script) in _snapshots[..count])
        {
            new TogetherComparison(scope, _database.Replica, model, $"{_script}: snapshot of {script}").Run();
            scope.Dispose();
            Note("snapshot");
        }

        _snapshots.RemoveRange(0, count);
    }

    private void Compare()
    {
        using DocumentReadScope read = _database.BeginRead();
        var comparison = new TogetherComparison(read, _database.Replica, _model, _script);
        comparison.Run();
        foreach ((string key, string vector) in comparison.Vectors)
        {
            long version = _model.Documents[key].Version;
            if (_vectors.TryGetValue(key, out (long Version, string Vector) before))
            {
                Assert.True(before.Version == version == (before.Vector == vector), $"{_script}: {key} had version {before}, now {(version, vector)}");
            }

            _vectors[key] = (version, vector);
        }
    }

    private void CheckLastEtag(TogetherModel after)
    {
        using DocumentReadScope read = _database.BeginRead();
        long last = read.LastEtag.Value;
        Assert.True(
            after.LastVersion == _model.LastVersion ? last >= _lastEtag : last >= _lastEtag + after.LastVersion - _model.LastVersion,
            $"{_script}: last etag {last} after {_lastEtag}");
        _lastEtag = last;
    }

    private string? PickRevised() => _model.Revisions.Count == 0 ? null : _model.Revisions.Keys.Order().ElementAt(_random.Next(_model.Revisions.Count));

    private List<Etag> EtagsOf(string key)
    {
        using DocumentReadScope read = _database.BeginRead();
        var etags = new List<Etag>();
        using RevisionCursor cursor = new RevisionReader(read.Transaction, _database.Replica).Open(Encoding.UTF8.GetBytes(key), Etag.Maximum);
        while (cursor.MoveNext())
        {
            etags.Insert(0, cursor.CurrentEtag);
        }

        Assert.True(etags.Count == _model.RevisionsOf(key).Count, $"{_script}: {etags.Count} revisions of {key}");
        return etags;
    }

    private string VectorOf(string key)
    {
        using DocumentReadScope read = _database.BeginRead();
        return read.TryGet(Encoding.UTF8.GetBytes(key), out StoredDocument document) ? _database.Replica.TextOf(document.Version) : "";
    }

    private void Note(string kind, int count = 1) => Done[kind] = Done.GetValueOrDefault(kind) + count;

    private DocumentDatabase Open() =>
        DocumentDatabase.Open(_platform, "/db", "db", DatabaseId, _settings, new StorageOptions { Time = _time });
}
