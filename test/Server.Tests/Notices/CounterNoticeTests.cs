using System.Text;
using System.Text.Json;
using Jackdaw.DocumentKit;
using Jackdaw.Documents;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Server.Tests.Notices;

/// <summary>Changes of counters, from the transaction that takes their etags to the socket.</summary>
public sealed class CounterNoticeTests
{
    [Fact]
    public async Task Counter_Changed_IsToldInTheOrderOfTheWrites()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        await server.PutEmptyAsync("Users/1");
        using NoticeClient one = await server.ConnectAsync();
        using NoticeClient all = await server.ConnectAsync("?extended=true");
        await one.CommandAsync("watch-document-counters", "users/1");
        await all.CommandAsync("watch-counters");
        await all.CommandAsync("watch-docs");
        var put = new ChangeCounterCommand(ChangeKind.ExtensionPut, 5);
        var increment = new ChangeCounterCommand(ChangeKind.ExtensionChange, 7);
        WriteOutcome outcome = await server.Database.WriteAsync(new WriteBatch { Commands = new DocumentCommand[] { put, increment } }, default);
        Assert.Equal(WriteStatus.Applied, outcome.Status);
        await server.PutEmptyAsync("users/2");
        await one.ReadUntilAsync(() => one.Of("CounterChange").Count() >= 2);
        await all.ReadUntilAsync(() => all.EndsWith("users/2"));

        JsonElement[] told = [.. one.Of("CounterChange")];
        Assert.Equal(["Put likes 5 Users/1 Users", "Increment likes 7 Users/1 Users"], told.Select(change =>
            $"{change.GetProperty("Type")} {change.GetProperty("Name")} {change.GetProperty("Value")} {change.GetProperty("DocumentId")} "
            + $"{change.GetProperty("CollectionName")}"));
        Assert.StartsWith($"A:{put.Etag.Value}-", told[0].GetProperty("ChangeVector").GetString(), StringComparison.Ordinal);
        long[] etags =
        [
            .. all.Received.Where(notice => notice.TryGetProperty("Value", out _))
                .Select(notice => notice.GetProperty("Value").GetProperty("Etag").GetInt64()),
        ];
        Assert.Equal([put.Etag.Value, increment.Etag.Value, increment.Etag.Value + 1], etags);
    }

    /// <summary>Takes an etag for a counter of users/1, and stores nothing.</summary>
    private sealed class ChangeCounterCommand(ChangeKind kind, long value) : DocumentCommand
    {
        public Etag Etag { get; private set; }

        internal override WriteStatus Apply(DocumentTransaction documents)
        {
            Assert.True(documents.TryFind(Encoding.UTF8.GetBytes("users/1"), out DocumentRow document));
            Etag = documents.TakeEtag(
                kind, CounterExtension.Instance, document.Id, document.Collection, "likes"u8, CounterPayload.Of(value));
            return WriteStatus.Applied;
        }
    }
}
