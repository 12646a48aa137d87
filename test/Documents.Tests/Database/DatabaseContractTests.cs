using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Tests.Database;

/// <summary>What every implementation of a database does; one class of tests per implementation.</summary>
public abstract class DatabaseContractTests
{
    protected abstract DocumentDatabase Database { get; }

    [Fact]
    public async Task Put_NewDocument_IsReadBackWithItsEtag()
    {
        Etag etag = await Database.PutAsync("users/1", TestCommands.Json("Users", 1));

        Assert.Equal(new DocumentCopy("users/1", etag, "Users", TestCommands.Json("Users", 1)), Database.Get("users/1"));
        Assert.Equal(new Etag(1), etag);
        using DocumentReadScope read = Database.BeginRead();
        Assert.Equal(etag, read.LastEtag);
        Assert.Equal(1, read.Counts.Documents);
    }

    [Fact]
    public async Task Get_OtherCasing_FindsTheDocumentInItsFirstSpelling()
    {
        await Database.PutAsync("Users/Ä-1", TestCommands.Json("Users", 1));
        Written result = await Database.WriteAsync(TestCommands.Put("USERS/ä-1", TestCommands.Json("Users", 2)));

        Assert.Equal("Users/Ä-1", result.Results![0].Id);
        Assert.Equal("Users/Ä-1", Database.Get("users/ä-1")!.Id);
        Assert.Equal(TestCommands.Json("Users", 2), Database.Get("uSeRs/Ä-1")!.Body);
        using DocumentReadScope read = Database.BeginRead();
        Assert.Equal(1, read.Counts.Documents);
    }

    [Fact]
    public async Task Delete_StoredAndMissing_TellsWhetherThereWasSomething()
    {
        await Database.PutAsync("users/1", TestCommands.Json("Users", 1));
        Written result = await Database.WriteAsync(TestCommands.Delete("USERS/1"), TestCommands.Delete("users/2"));

        Assert.True(result.Results![0].Deleted);
        Assert.Equal(new Etag(2), result.Results[0].Etag);
        Assert.False(result.Results[1].Deleted);
        Assert.Equal(Etag.None, result.Results[1].Etag);
        Assert.Null(Database.Get("users/1"));
        using DocumentReadScope read = Database.BeginRead();
        Assert.Equal(1, read.Counts.Tombstones);
    }

    [Fact]
    public async Task DeletePrefix_SomeMatch_DeletesThoseAlone()
    {
        foreach (string id in new[] { "a/1", "a/2", "A/3", "ab/1", "b/1" })
        {
            await Database.PutAsync(id, TestCommands.Json("Things", 1));
        }

        Written result = await Database.WriteAsync(TestCommands.DeletePrefix("A/"), TestCommands.DeletePrefix("zzz"));

        Assert.True(result.Results![0].Deleted);
        Assert.Equal(new Etag(8), result.Results[0].Etag);
        Assert.False(result.Results[1].Deleted);
        using DocumentReadScope read = Database.BeginRead();
        Assert.Equal(["ab/1", "b/1"], read.OpenByIdPrefix(default, default).ToList().Select(document => document.Id));
    }

    [Fact]
    public async Task Put_WrongVersion_IsAConflictWithTheActualOne()
    {
        Etag etag = await Database.PutAsync("users/1", TestCommands.Json("Users", 1));
        Written wrong = await Database.WriteAsync(
            TestCommands.Put("users/1", TestCommands.Json("Users", 2), TestCommands.Exactly(new Etag(77))));
        Written taken = await Database.WriteAsync(
            TestCommands.Put("users/1", TestCommands.Json("Users", 2), ExpectedVersion.Missing));
        Written gone = await Database.WriteAsync(TestCommands.Delete("users/9", TestCommands.Exactly(etag)));

        Assert.Equal((WriteStatus.Conflict, 0, etag), (wrong.Status, wrong.FailedCommand, wrong.ActualEtag));
        Assert.Equal((WriteStatus.Conflict, etag), (taken.Status, taken.ActualEtag));
        Assert.Equal((WriteStatus.Conflict, Etag.None), (gone.Status, gone.ActualEtag));
        Assert.Equal(TestCommands.Json("Users", 1), Database.Get("users/1")!.Body);
        Written right = await Database.WriteAsync(
            TestCommands.Put("users/1", TestCommands.Json("Users", 2), TestCommands.Exactly(etag)));
        Assert.Equal(new Etag(2), right.Results![0].Etag);
    }

    [Fact]
    public async Task Batch_OneDemandFails_NothingIsWritten()
    {
        await Database.PutAsync("users/1", TestCommands.Json("Users", 1));
        Written result = await Database.WriteAsync(
            TestCommands.Put("users/2", TestCommands.Json("Users", 2)),
            TestCommands.Delete("users/1"),
            TestCommands.Check("users/3", TestCommands.Exactly(new Etag(1))));

        Assert.Equal((WriteStatus.Conflict, 2, Etag.None), (result.Status, result.FailedCommand, result.ActualEtag));
        Assert.Null(Database.Get("users/2"));
        Assert.NotNull(Database.Get("users/1"));
        using DocumentReadScope read = Database.BeginRead();
        Assert.Equal(new Etag(1), read.LastEtag);
    }

    [Fact]
    public async Task Batch_LaterDemands_SeeEarlierCommands()
    {
        Etag first = await Database.PutAsync("users/1", TestCommands.Json("Users", 1));
        Written twice = await Database.WriteAsync(
            TestCommands.Put("users/1", TestCommands.Json("Users", 2), TestCommands.Exactly(first)),
            TestCommands.Put("USERS/1", TestCommands.Json("Users", 3), TestCommands.Exactly(first)));
        Written created = await Database.WriteAsync(
            TestCommands.Put("users/5", TestCommands.Json("Users", 2), ExpectedVersion.Missing),
            TestCommands.Put("users/5", TestCommands.Json("Users", 3), ExpectedVersion.Missing));
        Written replaced = await Database.WriteAsync(
            TestCommands.Delete("users/1", TestCommands.Exactly(first)),
            TestCommands.Put("users/1", TestCommands.Json("Users", 4), ExpectedVersion.Missing));
        Written prefixed = await Database.WriteAsync(
            TestCommands.DeletePrefix("users/"),
            TestCommands.Put("users/1", TestCommands.Json("Users", 5), ExpectedVersion.Missing));

        Assert.Equal((WriteStatus.Conflict, 1, first, true), Conflict(twice));
        Assert.Equal((WriteStatus.Conflict, 1, Etag.None, true), Conflict(created));
        Assert.Equal(WriteStatus.Applied, replaced.Status);
        Assert.Equal(WriteStatus.Applied, prefixed.Status);
        Assert.Equal(TestCommands.Json("Users", 5), Database.Get("users/1")!.Body);

        static (WriteStatus, int, Etag, bool) Conflict(Written result) =>
            (result.Status, result.FailedCommand, result.ActualEtag, result.IsChangedEarlier);
    }

    [Fact]
    public async Task Put_IdThatTheServerCompletes_IsNumberedAndCounted()
    {
        Written result = await Database.WriteAsync(
            TestCommands.Put("Users/", TestCommands.Json("Users", 1)),
            TestCommands.Put("Users|", TestCommands.Json("Users", 2)),
            TestCommands.Put("users|", TestCommands.Json("Users", 3)));

        Assert.Equal(
            ["Users/0000000000000000001-A", "Users/1", "users/2"], result.Results!.Select(command => command.Id));
        Assert.Equal(TestCommands.Json("Users", 3), Database.Get("USERS/2")!.Body);
        Assert.Equal("Users/0000000000000000001-A", Database.Get("users/0000000000000000001-a")!.Id);
        Assert.Equal(3, (await Database.NextIdentityAsync("USERS|", default)).Value);
        Assert.Equal(3, (await Database.SeedIdentityAsync("users|", 2, false, default)).Value);
        Assert.Equal(2, (await Database.SeedIdentityAsync("users|", 2, true, default)).Value);
        using DocumentReadScope read = Database.BeginRead();
        Assert.Equal(new KeyValuePair<string, long>("users|", 2), Assert.Single(read.GetIdentities(0, 10)));
        Assert.Empty(read.GetIdentities(1, 10));
    }

    /// <summary>As after an import: the documents have numbers that this database has not come to yet.</summary>
    [Fact]
    public async Task Put_IdWhoseNumberIsTaken_ReplacesNoDocument()
    {
        string[] taken = ["users/0000000000000000004-A", "Users/0000000000000000005-A", "users/0000000000000000006-a"];
        await Database.WriteAsync([.. taken.Select((id, i) => TestCommands.Put(id, TestCommands.Json("Users", i)))]);
        Written result = await Database.WriteAsync(
            TestCommands.Put("uSers/", TestCommands.Json("Users", 10), ExpectedVersion.Missing), TestCommands.Put("users/", TestCommands.Json("Users", 11)));

        Assert.Equal(["uSers/0000000000000000007-A", "users/0000000000000000008-A"], result.Results!.Select(command => command.Id));
        Assert.Equal([4, 5], result.Results!.Select(command => command.Etag.Value));
        Assert.Equal(TestCommands.Json("Users", 10), Database.Get("users/0000000000000000007-A")!.Body);
        Assert.All(taken, (id, i) => Assert.Equal(new DocumentCopy(id, new Etag(i + 1), "Users", TestCommands.Json("Users", i)), Database.Get(id)));
    }

    [Fact]
    public async Task Identity_AtTheLargestNumber_HasNoNextAndNothingChanges()
    {
        await Database.SeedIdentityAsync("users|", long.MaxValue - 1, false, default);
        Assert.Equal((WriteStatus.Applied, long.MaxValue), Outcome(await Database.NextIdentityAsync("users|", default)));

        Assert.Equal(WriteStatus.NumbersExhausted, (await Database.NextIdentityAsync("Users|", default)).Status);
        Written alone = await Database.WriteAsync(TestCommands.Put("users|", TestCommands.Json("Users", 1)));
        Written later = await Database.WriteAsync(
            TestCommands.Put("orders/1", TestCommands.Json("Orders", 1)), TestCommands.Put("users|", TestCommands.Json("Users", 2)));

        Assert.Equal((WriteStatus.NumbersExhausted, 0), (alone.Status, alone.FailedCommand));
        Assert.Equal((WriteStatus.NumbersExhausted, 1), (later.Status, later.FailedCommand));
        using (DocumentReadScope read = Database.BeginRead())
        {
            Assert.Equal(0, read.Counts.Documents);
            Assert.Equal(long.MaxValue, Assert.Single(read.GetIdentities(0, 10)).Value);
        }

        Assert.Equal((WriteStatus.Applied, 7), Outcome(await Database.SeedIdentityAsync("users|", 7, true, default)));
        Written again = await Database.WriteAsync(TestCommands.Put("users|", TestCommands.Json("Users", 3)));
        Assert.Equal("users/8", Assert.Single(again.Results!).Id);

        static (WriteStatus, long) Outcome(IdentityResult result) => (result.Status, result.Value);
    }

    [Fact]
    public async Task SkipUnchanged_SameBody_KeepsTheEtag()
    {
        Etag etag = await Database.PutAsync("users/1", TestCommands.Json("Users", 1));
        var batch = new WriteBatch
        {
            Commands = new[]
            {
                TestCommands.Put("users/1", TestCommands.Json("Users", 1)), TestCommands.Put("users/2", TestCommands.Json("Users", 1)),
            },
            SkipUnchanged = true,
        };
        Written result = await Database.WriteAllAsync(batch);

        Assert.Equal([etag, new Etag(2)], result.Results!.Select(command => command.Etag));
    }

    [Fact]
    public async Task HiLo_TwoClients_GetRangesThatDoNotOverlap()
    {
        HiLoRange first = await Database.NextHiLoAsync(new HiLoRequest("users", 32, 0), default);
        HiLoRange second = await Database.NextHiLoAsync(new HiLoRequest("Users", 64, 0), default);
        HiLoRange third = await Database.NextHiLoAsync(new HiLoRequest("users", 10, 500), default);
        await Database.ReturnHiLoAsync("users", 96, 40, default);
        await Database.ReturnHiLoAsync("users", 510, 505, default);
        HiLoRange fourth = await Database.NextHiLoAsync(new HiLoRequest("users", 1, 0), default);

        Assert.Equal((1, 32), (first.Low, first.High));
        Assert.Equal((33, 96), (second.Low, second.High));
        Assert.Equal((501, 510), (third.Low, third.High));
        Assert.Equal((506, 506), (fourth.Low, fourth.High));
        Assert.Equal("@hilo", Database.Get("Raven/Hilo/users")!.Collection);
        Assert.Equal("""{"Max":506,"@metadata":{"@collection":"@hilo"}}""", Database.Get("raven/hilo/users")!.Body);
    }

    [Fact]
    public async Task HiLo_ReturnOfNothing_WritesNothing()
    {
        await Database.ReturnHiLoAsync("orders", 0, 0, default);
        HiLoRange range = await Database.NextHiLoAsync(new HiLoRequest("users", 32, 0), default);
        await Database.ReturnHiLoAsync("users", range.High, range.High, default);

        Assert.Null(Database.Get("Raven/Hilo/orders"));
        Assert.Equal(new Etag(1), Database.Get("Raven/Hilo/users")!.Etag);
    }

    [Fact]
    public async Task HiLo_AtTheLargestNumber_HasNoRangeAndNothingChanges()
    {
        HiLoRange last = await Database.NextHiLoAsync(new HiLoRequest("users", 32, long.MaxValue - 32), default);
        HiLoRange none = await Database.NextHiLoAsync(new HiLoRequest("users", 1, 0), default);
        HiLoRange tooMany = await Database.NextHiLoAsync(new HiLoRequest("orders", 33, long.MaxValue - 32), default);

        Assert.Equal((WriteStatus.Applied, long.MaxValue - 31, long.MaxValue), (last.Status, last.Low, last.High));
        Assert.Equal(WriteStatus.NumbersExhausted, none.Status);
        Assert.Equal(WriteStatus.NumbersExhausted, tooMany.Status);
        Assert.Null(Database.Get("Raven/Hilo/orders"));
    }

    [Fact]
    public async Task Scope_WritesAfterItBegan_AreNotSeen()
    {
        await Database.PutAsync("users/1", TestCommands.Json("Users", 1));
        using DocumentReadScope before = Database.BeginRead();
        await Database.WriteAsync(TestCommands.Put("users/1", TestCommands.Json("Users", 2)), TestCommands.Put("users/2", TestCommands.Json("Users", 2)));

        Assert.Equal(TestCommands.Json("Users", 1), before.Get("users/1")!.Body);
        Assert.Null(before.Get("users/2"));
        Assert.Single(before.OpenByEtag(default, EtagOrder.Ascending, default).ToList());
        Assert.Equal(TestCommands.Json("Users", 2), Database.Get("users/1")!.Body);
    }

    [Fact]
    public async Task Walks_ByIdAndByEtag_AreOrderedAndStartWhereAsked()
    {
        for (int i = 1; i <= 9; i++)
        {
            await Database.PutAsync($"users/{i}", TestCommands.Json(i % 2 == 0 ? "Even" : "odd", i));
        }

        await Database.PutAsync("users/3", TestCommands.Json("ODD", 33));
        using DocumentReadScope read = Database.BeginRead();
        Assert.Equal(
            ["users/5", "users/6", "users/7", "users/8", "users/9"],
            read.OpenByIdPrefix("users/"u8, "users/4"u8).ToList().Select(document => document.Id));
        Assert.Empty(read.OpenByIdPrefix("users/"u8, "users/9"u8).ToList());
        Assert.Empty(read.OpenByIdPrefix("v"u8, default).ToList());
        Assert.Equal([1, 5, 7, 9, 10], Etags(read.OpenByEtag("odd"u8, EtagOrder.Ascending, Etag.None)));
        Assert.Equal([10, 9, 7, 5, 1], Etags(read.OpenByEtag("Odd"u8, EtagOrder.Descending, Etag.Maximum)));
        Assert.Equal([5, 4, 2, 1], Etags(read.OpenByEtag(default, EtagOrder.Descending, new Etag(5))));
        Assert.Equal([9, 10], Etags(read.OpenByEtag(default, EtagOrder.Ascending, new Etag(9))));
        Assert.Empty(read.OpenByEtag("none"u8, EtagOrder.Ascending, Etag.None).ToList());
        Assert.Equal(
            ["Even:4", "odd:5"], read.GetCollections().Select(collection => $"{collection.Name}:{collection.Documents}"));

        static long[] Etags(DocumentCursor cursor) => [.. cursor.ToList().Select(document => document.Etag.Value)];
    }

    [Fact]
    public async Task Put_ConcurrentWriters_GetDistinctEtagsAndSeeTheirWrites()
    {
        await Task.WhenAll(Enumerable.Range(0, 16).Select(writer => Task.Run(async () =>
        {
            for (int i = 0; i < 20; i++)
            {
                Etag etag = await Database.PutAsync($"w{writer}/{i}", TestCommands.Json("Things", i));
                Assert.Equal(etag, Database.Get($"w{writer}/{i}")!.Etag);
            }
        })));

        using DocumentReadScope read = Database.BeginRead();
        Assert.Equal(320, read.Counts.Documents);
        Assert.Equal(new Etag(320), read.LastEtag);
    }

    /// <summary>The longest keys there are: of documents, of an identity, and of a tombstone in the longest collection.</summary>
    [Fact]
    public async Task Put_IdsAtTheLimitWhoseLowerCaseIsLonger_AreKept()
    {
        string longest = new('\u023A', DocumentIds.IdBytesMax / 2);
        string prefix = new('\u023A', (DocumentIds.IdBytesMax - DocumentIds.NumberSuffixBytes - 1) / 2);
        string json = TestCommands.Json(new string('\u023E', DocumentIds.IdBytesMax / 2), 1);
        await Database.PutAsync(longest, json);
        Written completed = await Database.WriteAsync(TestCommands.Put(prefix + "/", json), TestCommands.Put(prefix + "|", json));
        string[] ids = [longest, .. completed.Results!.Select(command => command.Id)];

        Assert.All(ids, id => Assert.Equal(id, Database.Get(id)!.Id));
        Assert.Equal(longest.Replace('\u023A', '\u2C65'), Encoding.UTF8.GetString(TestCommands.Key(longest)));
        Assert.Equal(2, (await Database.NextIdentityAsync(prefix + "|", default)).Value);
        Assert.All((await Database.WriteAsync([.. ids.Select(id => TestCommands.Delete(id))])).Results!, command => Assert.True(command.Deleted));
        Assert.Null(Database.Get(longest));
        await Database.PutAsync(longest, json);
        Assert.True((await Database.WriteAsync(TestCommands.DeletePrefix(longest[..9]))).Results![0].Deleted);
    }

    [Fact]
    public async Task Put_IdAtTheLimitAndLargeDocument_AreKept()
    {
        string longest = new('x', DocumentIds.IdBytesMax);
        string large = $$$"""{"Text":"{{{new string('y', 10 * 1024 * 1024)}}}","@metadata":{"@collection":"Large"}}""";
        await Database.PutAsync(longest, TestCommands.Json("Users", 1));
        await Database.PutAsync("large/1", large);
        await Database.PutAsync("large/1", large.Replace('y', 'z'));

        Assert.Equal(longest, Database.Get(longest)!.Id);
        Assert.Equal(large.Replace('y', 'z'), Database.Get("large/1")!.Body);
        Assert.Equal(Encoding.UTF8.GetByteCount(large), Database.Get("LARGE/1")!.Body.Length);
    }
}
