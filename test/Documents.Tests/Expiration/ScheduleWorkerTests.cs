using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Expiration;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Schedules;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;

namespace Jackdaw.Documents.Tests.Expiration;

public sealed class ScheduleWorkerTests
{
    private readonly SettableTime _time = new();

    [Fact]
    public async Task Worker_NothingInTheFuture_HasNoTimerAndNoTree()
    {
        await using ScheduledDatabase database = await OpenAsync();
        await database.PutAsync("a", "");
        for (int i = 0; i < 10; i++)
        {
            await database.LookAsync(TimeSpan.FromSeconds(1)); // it slept before, or was about to
        }

        Assert.Equal(0, _time.TimersMade);
        using DocumentReadScope read = database.Database.BeginRead();
        Assert.Null(read.Transaction.Trees.FindTree("Due"));
        Assert.Null(read.Transaction.Trees.FindTree("Schedules"));
    }

    [Fact]
    public async Task Worker_EarlierTimeIsAdded_WakesAtIt()
    {
        await using ScheduledDatabase database = await OpenAsync("""{"Expiration":{"DeleteFrequencyInSec":100000}}""");
        await database.PutAsync("late", Expires(50_000));
        await Eventually.IsTrueAsync(() => _time.TimerCount == 1);
        await database.PutAsync("soon", Expires(10));
        await Eventually.IsTrueAsync(() => _time.FirstTimerIn == TimeSpan.FromSeconds(10));

        _time.Advance(TimeSpan.FromSeconds(10));

        await Eventually.IsTrueAsync(() => database.Find("soon") is null);
        Assert.NotNull(database.Find("late"));
    }

    [Fact]
    public async Task Worker_NotConfigured_LeavesEverythingUntilItIs()
    {
        await using ScheduledDatabase database = await OpenAsync("""{"Refresh":{"Disabled":true},"Expiration":null}""");
        await database.PutAsync("a", Expires(-10));
        await database.PutAsync("b", $"\"@refresh\":\"{_time.In(TimeSpan.FromSeconds(-10))}\"");
        await database.LookAsync(TimeSpan.FromHours(1));
        Assert.Equal(2, database.LastEtag);

        database.Configure("""{"Expiration":{}}""");

        await Eventually.IsTrueAsync(() => database.Find("a") is null);
        Assert.Equal(3, database.LastEtag);
        Assert.Contains("@refresh", database.Find("b"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Worker_ClockSetForward_NoticesAfterAnInterval()
    {
        await using ScheduledDatabase database = await OpenAsync("""{"Expiration":{"DeleteFrequencyInSec":100}}""");
        await database.PutAsync("a", Expires(50_000));
        await Eventually.IsTrueAsync(() => _time.TimerCount == 1);
        _time.Set(TimeSpan.FromDays(1));
        Assert.Equal(TimeSpan.FromSeconds(100), _time.FirstTimerIn); // nothing else wakes it
        Assert.NotNull(database.Find("a"));

        _time.Advance(TimeSpan.FromSeconds(100));

        await Eventually.IsTrueAsync(() => database.Find("a") is null);
    }

    [Fact]
    public async Task Worker_MoreThanOneRunMayDo_WaitsForTheNextInterval()
    {
        await using ScheduledDatabase database = await OpenAsync("""{"Expiration":{"DeleteFrequencyInSec":60,"MaxItemsToProcess":3}}""");
        for (int i = 0; i < 7; i++)
        {
            await database.PutAsync($"d/{i}", Expires(5 + i));
        }

        _time.Advance(TimeSpan.FromSeconds(30));
        await Eventually.IsTrueAsync(() => database.LastEtag == 10 && _time.FirstTimerIn == TimeSpan.FromSeconds(60));
        _time.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal(TimeSpan.FromSeconds(30), _time.FirstTimerIn); // nothing else wakes it
        Assert.Equal(10, database.LastEtag);
        _time.Advance(TimeSpan.FromSeconds(30));
        await Eventually.IsTrueAsync(() => database.LastEtag == 13);
        _time.Advance(TimeSpan.FromSeconds(60));
        await Eventually.IsTrueAsync(() => database.LastEtag == 14);
        Assert.Equal(0, database.CountScheduled());
    }

    [Fact]
    public async Task Worker_ManyAtOnce_AreDoneInBoundedBatches()
    {
        await using ScheduledDatabase database = await OpenAsync("{}");
        const int documents = (3 * ScheduledBatch.ItemsMax) + 5;
        await database.Database.WriteAsync(
            [.. Enumerable.Range(0, documents).Select(i => TestCommands.Put($"d/{i}", $$$"""{"@metadata":{{{{Expires(-i)}}}}}"""))]);
        long before = database.Database.MergerStatistics.Commands;

        database.Configure(ScheduledDatabase.AllOn);

        await Eventually.IsTrueAsync(() => database.LastEtag == 2 * documents);
        Assert.Equal(4, database.Database.MergerStatistics.Commands - before);
    }

    [Fact]
    public async Task Archive_Document_IsStoredCompressedAndReadAsBefore()
    {
        await using ScheduledDatabase database = await OpenAsync();
        string text = string.Join(' ', Enumerable.Repeat("archive", 500));
        await database.PutAsync("a", $"\"Raven-Node-Type\":null,\"@archive-at\":\"{_time.In(TimeSpan.FromSeconds(-1))}\"", $"\"t\":\"{text}\"");

        await database.SettleAsync();

        Assert.Equal(
            $$$"""{"t":"{{{text}}}","@metadata":{"@collection":"Things","Raven-Node-Type":null,"@archived":true}}""", database.Find("a"));
        Assert.Equal(DocumentFlags.Archived, database.FlagsOf("a"));
        Assert.InRange(StoredBytes(database, "a"), 20, text.Length / 5);

        await database.PutAsync("a", "\"@archived\":true", "\"n\":2");
        Assert.Equal(DocumentFlags.Archived, database.FlagsOf("a"));
        await database.PutAsync("a", "", "\"n\":3");
        Assert.Equal(DocumentFlags.None, database.FlagsOf("a"));
        Assert.Equal("""{"n":3,"@metadata":{"@collection":"Things"}}""", database.Find("a"));
    }

    [Fact]
    public async Task Archive_DocumentThatDoesNotCompress_IsStoredAsItIs()
    {
        await using ScheduledDatabase database = await OpenAsync();
        await database.Database.PutAsync("a", """{"@metadata":{"@archived":true}}""");

        Assert.Equal("""{"@metadata":{"@archived":true}}""", database.Find("a"));
        Assert.Equal(32, StoredBytes(database, "a"));
    }

    [Fact]
    public async Task Schedule_DocumentThatMovesOrGoes_LeavesNoTime()
    {
        await using ScheduledDatabase database = await OpenAsync("{}");
        await database.PutAsync("a/1", $"{Expires(10)},\"@refresh\":\"{_time.In(TimeSpan.FromSeconds(20))}\"");
        await database.PutAsync("a/2", Expires(10));
        Assert.Equal(3, database.CountScheduled());
        await database.Database.PutAsync("a/1", $$$"""{"@metadata":{"@collection":"Others",{{{Expires(30)}}}}}""");
        Assert.Equal(2, database.CountScheduled());
        await database.Database.WriteAsync(TestCommands.DeletePrefix("a/"));
        Assert.Equal(0, database.CountScheduled());
    }

    [Fact]
    public async Task Refresh_Document_GetsANewVersionWithoutTheTime()
    {
        await using ScheduledDatabase database = await OpenAsync();
        Etag before = await database.PutAsync("a", $"\"@refresh\":\"{_time.In(TimeSpan.FromSeconds(-1))}\",\"x\":\"\\u00e4\"");

        await database.SettleAsync();

        Assert.Equal("""{"n":1,"@metadata":{"@collection":"Things","x":"\u00e4"}}""", database.Find("a"));
        Assert.Equal(before.Value + 1, database.LastEtag);
    }

    [Fact]
    public async Task Open_DatabaseOfAnOlderProgram_FindsTheTimesInIt()
    {
        var platform = new MemoryPlatform();
        await using (ScheduledDatabase database = await ScheduledDatabase.OpenAsync(platform, _time, "{}"))
        {
            await database.PutAsync("a", Expires(-5));
            await database.PutAsync("b", Expires(50));
            await database.PutAsync("c", "");
            await database.PutValueAsync("v", _time.In(TimeSpan.FromHours(1)));
            using WriteTransaction older = database.Database.Environment.BeginWrite();
            older.Trees.DeleteTree("Due");
            older.Trees.DeleteTree("Schedules");
            older.Trees.FindTree("Database")!.Delete("schedules"u8);
            older.Commit();
        }

        await using ScheduledDatabase reopened = await ScheduledDatabase.OpenAsync(platform, _time);

        await Eventually.IsTrueAsync(() => reopened.Find("a") is null);
        Assert.Equal(2, reopened.CountScheduled());
        _time.Advance(TimeSpan.FromHours(2));
        await Eventually.IsTrueAsync(() => reopened.Find("b") is null && reopened.IndexOf("v") == 0);
        Assert.NotNull(reopened.Find("c"));
    }

    [Fact]
    public async Task Worker_LargeDocumentsExpire_AreDeletedInBatchesOfBytes()
    {
        await using ScheduledDatabase database = await OpenAsync("{}");
        string text = new('x', 1_500_000);
        for (int i = 0; i < 9; i++)
        {
            await database.Database.WriteAsync(TestCommands.Put($"d/{i}", $$$"""{"t":"{{{text}}}","@metadata":{{{{Expires(-1)}}}}}"""));
        }

        long before = database.Database.MergerStatistics.Commands;
        database.Configure(ScheduledDatabase.AllOn);

        await Eventually.IsTrueAsync(() => database.LastEtag == 18);
        Assert.Equal(3, database.Database.MergerStatistics.Commands - before);
    }

    /// <summary>A text that is damaged cannot be archived; all others are.</summary>
    [Fact]
    public async Task Worker_ItemThatCannotBeWritten_HoldsUpNoOther()
    {
        await using ScheduledDatabase database = await OpenAsync("{}");
        const int documents = 40;
        string archive = $"\"@archive-at\":\"{_time.GetUtcNow().AddSeconds(-1):yyyy-MM-ddTHH:mm:ssZ}\"";
        PutCommand[] puts = [.. Enumerable.Range(0, documents).Select(i => TestCommands.Put($"d/{i:d2}", $$$"""{"@metadata":{{{{archive}}}}}"""))];
        byte[] damaged = puts[7].Document.Bytes.ToArray();
        damaged[^3] = (byte)'}'; // no quote ends the last text
        puts[7].Document = puts[7].Document with { Bytes = damaged };
        await database.Database.WriteAsync([.. puts, TestCommands.Put("e", $$$"""{"@metadata":{{{{Expires(-1)}}}}}""")]);

        database.Configure(ScheduledDatabase.AllOn);

        await Eventually.IsTrueAsync(() => database.Find("e") is null && database.CountScheduled() == 1);
        Assert.All(Enumerable.Range(0, documents).Where(i => i != 7), i => Assert.Equal(DocumentFlags.Archived, database.FlagsOf($"d/{i:d2}")));
        Assert.Equal(DocumentFlags.None, database.FlagsOf("d/07"));
    }

    /// <summary>It should never be there; if it is, the worker must not read it again and again.</summary>
    [Fact]
    public async Task Worker_TimesOfNothing_AreForgotten()
    {
        await using ScheduledDatabase database = await OpenAsync("{}");
        long past = _time.GetUtcNow().UtcTicks - 1;
        using (WriteTransaction write = database.Database.Environment.BeginWrite())
        {
            var due = new ScheduleTree(write.Trees);
            due.Replace(ScheduleDomain.Document, "ghost"u8, [new ScheduledTime(ScheduleKind.Refresh, past), new ScheduledTime(ScheduleKind.Expire, past)]);
            due.Replace(ScheduleDomain.Value, "ghost"u8, [new ScheduledTime(ScheduleKind.ExpireValue, past)]);
            due.Replace(ScheduleDomain.Document, "half"u8, [new ScheduledTime(ScheduleKind.Archive, past)]);
            write.Trees.FindTree("Schedules")!.Delete([(byte)ScheduleDomain.Document, .. "half"u8]);
            write.Commit();
        }

        database.Configure(ScheduledDatabase.AllOn);

        await Eventually.IsTrueAsync(() => database.CountScheduled() == 0);
        Assert.Equal(0, database.LastEtag);
    }

    /// <summary>The power is cut while the worker deletes: what is left is deleted afterwards, and nothing else is touched.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public async Task PowerCut_WhileItWorks_LosesAndRepeatsNothing(int seed)
    {
        var platform = new SimulatedPlatform(seed);
        const int documents = 1500;
        SimulatedPlatform after;
        await using (ScheduledDatabase database = await ScheduledDatabase.OpenAsync(platform, _time, "{}"))
        {
            await database.Database.WriteAsync([.. Enumerable.Range(0, documents).Select(i => TestCommands.Put(
                $"d/{i}", $$$"""{"n":{{{i}}},"@metadata":{{{{MetadataOf(i)}}}}}"""))]);
            database.Configure(ScheduledDatabase.AllOn);
            await Eventually.IsTrueAsync(() => database.LastEtag > documents + (seed * 100));
            after = platform.Crash(seed);
        }

        await using ScheduledDatabase reopened = await ScheduledDatabase.OpenAsync(after, _time);
        await reopened.SettleAsync();

        Assert.Equal(documents + 1000, reopened.LastEtag);
        for (int i = 0; i < documents; i++)
        {
            Assert.Equal(i % 3 == 0 ? null : $$$"""{"n":{{{i}}},"@metadata":{}}""", reopened.Find($"d/{i}"));
        }
    }

    private static long StoredBytes(ScheduledDatabase database, string id)
    {
        using DocumentReadScope read = database.Database.BeginRead();
        var table = new Table(read.Transaction, read.Transaction.Trees, DocumentTable.Schema);
        Assert.True(table.TryGetByKey(Encoding.UTF8.GetBytes(id), out TableRow row));
        return row.GetColumn(DocumentTable.BodyColumn).Length;
    }

    private string MetadataOf(int i) => (i % 3) switch
    {
        0 => Expires(-i),
        1 => $"\"@refresh\":\"{_time.In(TimeSpan.FromSeconds(-i))}\"",
        _ => "",
    };

    private Task<ScheduledDatabase> OpenAsync(string record = ScheduledDatabase.AllOn) => ScheduledDatabase.OpenAsync(new MemoryPlatform(), _time, record);

    private string Expires(int seconds) => $"\"@expires\":\"{_time.In(TimeSpan.FromSeconds(seconds))}\"";
}
