using System.Globalization;
using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Expiration;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Schedules;
using Jackdaw.Pal;
using Jackdaw.Storage;
using Jackdaw.Storage.Tables;
using Jackdaw.TestKit;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Documents.Tests.Expiration;

/// <summary>A database with the worker that does what is due, by a clock of the test.</summary>
internal sealed class ScheduledDatabase : IAsyncDisposable
{
    public const string AllOn = """{"Expiration":{"Disabled":false},"Refresh":{"Disabled":false},"DataArchival":{"Disabled":false}}""";

    private readonly ScheduleWorker _worker;
    private string _record;

    private ScheduledDatabase(DocumentDatabase database, ScheduleWorker worker, SettableTime time, string record)
    {
        Database = database;
        _worker = worker;
        Time = time;
        _record = record;
    }

    public DocumentDatabase Database { get; }

    public SettableTime Time { get; }

    public long LastEtag
    {
        get
        {
            using DocumentReadScope read = Database.BeginRead();
            return read.LastEtag.Value;
        }
    }

    public static async Task<ScheduledDatabase> OpenAsync(IPlatform platform, SettableTime time, string record = AllOn)
    {
        var settings = new DatabaseSettings();
        settings.SetRecord(Encoding.UTF8.GetBytes(record));
        DocumentDatabase database = DocumentDatabase.Open(platform, "/db", "db", DocumentDatabase.MakeDatabaseId(), settings, new StorageOptions());
        var worker = new ScheduleWorker(database, time, NullLogger.Instance);
        await database.Parts.AddAsync(worker);
        return new ScheduledDatabase(database, worker, time, record);
    }

    public ValueTask DisposeAsync() => Database.DisposeAsync();

    public void Configure(string record)
    {
        _record = record;
        Database.Settings.SetRecord(Encoding.UTF8.GetBytes(record));
    }

    /// <summary>Turns the clock, wakes the worker, and waits until it has looked at what is due then.</summary>
    public async Task LookAsync(TimeSpan later)
    {
        Time.Advance(later);
        Configure(_record);
        await _worker.WaitUntilDoneAsync(Time.GetUtcNow(), CancellationToken.None).WaitAsync(TimeSpan.FromSeconds(30));
    }

    /// <summary>Stores a document with members in its metadata.</summary>
    public Task<Etag> PutAsync(string id, string metadata, string member = "\"n\":1") =>
        Database.PutAsync(id, $$$"""{{{{member}}},"@metadata":{"@collection":"Things"{{{(metadata.Length > 0 ? "," : "")}}}{{{metadata}}}}}""");

    public async Task PutValueAsync(string key, string expires)
    {
        var command = new PutCompareExchangeCommand { IsAlone = true, ExpectedIndex = IndexOf(key) };
        byte[] name = Encoding.UTF8.GetBytes(key);
        command.SetKey(name, name);
        command.SetValue(
            Encoding.UTF8.GetBytes($$$"""{"Object":1,"@metadata":{"@expires":"{{{expires}}}"}}"""),
            DateTime.Parse(expires, CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind).Ticks);
        await Database.WriteAsync(new WriteBatch { Commands = new[] { command } }, default);
        Assert.True(command.IsSuccessful);
    }

    /// <summary>0: there is none.</summary>
    public long IndexOf(string key)
    {
        using DocumentReadScope read = Database.BeginRead();
        return CompareExchangeTable.Open(read.Transaction).TryGetByKey(Encoding.UTF8.GetBytes(key), out TableRow row)
            ? new CompareExchangeRow(row).Index
            : 0;
    }

    /// <summary>Text of the document; null: there is none.</summary>
    public string? Find(string id)
    {
        using DocumentReadScope read = Database.BeginRead();
        return read.TryGet(TestCommands.Key(id), out StoredDocument document) ? Encoding.UTF8.GetString(document.Body) : null;
    }

    public DocumentFlags FlagsOf(string id)
    {
        using DocumentReadScope read = Database.BeginRead();
        return read.TryGet(TestCommands.Key(id), out StoredDocument document) ? document.Flags : DocumentFlags.None;
    }

    /// <summary>Turns the clock by seconds until nothing is due.</summary>
    public Task SettleAsync() => Eventually.IsTrueAsync(
        () =>
        {
            if (!IsSomethingScheduled())
            {
                return true;
            }

            Time.Advance(TimeSpan.FromSeconds(1));
            return false;
        },
        () => "what is due is not done");

    /// <summary>Entries of the index by time.</summary>
    public long CountScheduled()
    {
        using DocumentReadScope read = Database.BeginRead();
        return ScheduleTree.Count(read.Transaction.Trees);
    }

    private bool IsSomethingScheduled()
    {
        using DocumentReadScope read = Database.BeginRead();
        long now = Time.GetUtcNow().UtcTicks;
        return Enum.GetValues<ScheduleKind>().Any(kind => ScheduleTree.FindNext(read.Transaction.Trees, kind) <= now);
    }
}
