using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Indexing;
using Jackdaw.Server.Notices;

namespace Jackdaw.Server.Tests.Notices;

public sealed class WatchesTests
{
    private static readonly Replica s_replica = new(NodeTag.Default, new string('x', 22));

    /// <summary>Each notice that there is, by a name.</summary>
    private static readonly (string Name, Action<NoticeBatchBuilder> Add)[] s_notices =
    [
        ("put", round => round.Add(Document(ChangeKind.DocumentPut, "Users/1", "Users"))),
        ("delete", round => round.Add(Document(ChangeKind.DocumentDelete, "orders/7", "Orders"))),
        ("move", round => round.Add(Document(ChangeKind.DocumentMove, "users/2", "Users"))),
        ("hilo", round => round.Add(Document(ChangeKind.DocumentPut, "Raven/Hilo/users", "@hilo"))),
        ("output", round => round.Add(Document(ChangeKind.DocumentPut, "Sums/1", "Sums", isArtificial: true))),
        ("beyond", round => round.Add(Document(ChangeKind.DocumentPut, "ÄRZTE/1", "Ärzte"))),
        ("cmpxchg", round => round.Add(new Change
        {
            Kind = ChangeKind.CompareExchangePut,
            Id = "k"u8,
            Collection = default,
            Etag = new Etag(1),
            ChangeVector = default,
        })),
        ("likes", round => round.Add(Counter(ChangeKind.ExtensionChange, "users/1", "Likes"))),
        ("views", round => round.Add(Counter(ChangeKind.ExtensionPut, "users/2", "views"))),
        ("index", round => round.Add(new IndexChange(IndexChangeKind.BatchCompleted, "Users/ByName"))),
    ];

    [Theory]
    [InlineData("watch-docs", null, "put delete hilo beyond")]
    [InlineData("WATCH-DOCS", null, "put delete hilo beyond")]
    [InlineData("watch-doc", "uSERS/1", "put")]
    [InlineData("watch-doc", "users/2", "")]
    [InlineData("watch-doc", "Sums/1", "")]
    [InlineData("watch-doc", "ärzte/1", "beyond")]
    [InlineData("watch-doc", "raven/hilo/USERS", "hilo")]
    [InlineData("watch-prefix", "USERS/", "put")]
    [InlineData("watch-prefix", "o", "delete")]
    [InlineData("watch-prefix", "är", "beyond")]
    [InlineData("watch-prefix", "users/11", "")]
    [InlineData("watch-collection", "users", "put move")]
    [InlineData("watch-collection", "ORDERS", "delete")]
    [InlineData("watch-collection", "Sums", "")]
    [InlineData("watch-collection", "@hilo", "")]
    [InlineData("watch-counters", null, "likes views")]
    [InlineData("watch-counter", "LIKES", "likes")]
    [InlineData("watch-document-counters", "Users/2", "views")]
    [InlineData("watch-document-counter", "Users/1|likes", "likes")]
    [InlineData("watch-document-counter", "users/1|views", "")]
    [InlineData("watch-indexes", null, "index")]
    [InlineData("watch-index", "users/byname", "index")]
    [InlineData("watch-index", "users/by", "")]
    [InlineData("watch-operations", null, "")]
    [InlineData("watch-all-timeseries", null, "")]
    [InlineData("watch-timeseries", "heart", "")]
    [InlineData("watch-all-document-timeseries", "users/1", "")]
    [InlineData("watch-document-timeseries", "users/1|heart", "")]
    [InlineData("watch-topology-change", null, "")]
    [InlineData("watch-aggressive-caching", null, "")]
    public void Matches_EachCommand_OnlyWhatItNames(string command, string? param, string matched)
    {
        var watches = new Watches();
        watches.Apply(Command(command, param));
        Assert.Equal(matched, Matched(watches));

        watches.Apply(Command("un" + command.ToLowerInvariant(), param));
        Assert.Equal("", Matched(watches));
        Assert.Equal(0, watches.Bytes);
    }

    [Theory]
    [InlineData("watch-all-timeseries", null, false)]
    [InlineData("watch-timeseries", "heart", false)]
    [InlineData("watch-all-document-timeseries", "users/1", false)]
    [InlineData("watch-document-timeseries", "users/1|heart", false)]
    [InlineData("watch-topology-change", null, false)]
    [InlineData("watch-aggressive-caching", null, false)]
    [InlineData("watch-counters", null, true)]
    [InlineData("watch-document-counter", "users/1|likes", true)]
    [InlineData("watch-docs", null, true)]
    [InlineData("watch-index", "users/byname", true)]
    public void LosesByGaps_EachCommand_OnlyIfItsSubjectCanChange(string command, string? param, bool loses)
    {
        var watches = new Watches();
        watches.Apply(Command(command, param));
        Assert.Equal(loses, watches.LosesByGaps);
    }

    [Theory]
    [InlineData("watch-docs", null, 2)]
    [InlineData("watch-counters", null, 2)]
    [InlineData("watch-indexes", null, 2)]
    [InlineData("watch-doc", "users/1", 1)]
    [InlineData("watch-prefix", "u", 1)]
    [InlineData("watch-collection", "users", 1)]
    [InlineData("watch-index", "users/byname", 1)]
    public void Unwatch_AfterTwoWatches_EndsAfterAsManyAsItCounts(string command, string? param, int ends)
    {
        var watches = new Watches();
        watches.Apply(Command(command, param));
        watches.Apply(Command(command, param));
        for (int i = 0; i < ends; i++)
        {
            Assert.NotEqual("", Matched(watches));
            watches.Apply(Command("un" + command, param));
        }

        Assert.Equal("", Matched(watches));
        watches.Apply(Command("un" + command, param)); // one too many is forgiven, and not owed
        watches.Apply(Command(command, param));
        Assert.NotEqual("", Matched(watches));
    }

    [Fact]
    public void Matches_PrefixesOfManyLengths_FindsTheLongestAndTheShortest()
    {
        var watches = new Watches();
        foreach (string prefix in (string[])["users/12345", "o", "orders/", "users/1/"])
        {
            watches.Apply(Command("watch-prefix", prefix));
        }

        Assert.Equal("delete", Matched(watches));
        watches.Apply(Command("unwatch-prefix", "o"));
        Assert.Equal("delete", Matched(watches));
        watches.Apply(Command("unwatch-prefix", "orders/"));
        Assert.Equal("", Matched(watches));
    }

    [Fact]
    public void Apply_MoreNamesThanAllowed_IsRefusedAndTheOthersStay()
    {
        var watches = new Watches();
        string name = new('n', 500);
        void WatchMany()
        {
            for (int i = 0; i < 10_000; i++)
            {
                watches.Apply(Command("watch-doc", $"{i}{name}"));
            }
        }

        var refused = Assert.Throws<WatchCommandException>(WatchMany);

        Assert.Contains("1048576", refused.Message, StringComparison.Ordinal);
        Assert.InRange(watches.Bytes, Watches.BytesMax - 1000, Watches.BytesMax);
        watches.Apply(Command("unwatch-doc", $"0{name}"));
        watches.Apply(Command("watch-doc", "users/1"));
        Assert.Equal("put", Matched(watches));
    }

    private static WatchCommand Command(string command, string? param)
    {
        string[]? pair = param?.Contains('|', StringComparison.Ordinal) == true ? param.Split('|') : null;
        return WatchCommand.Read(System.Text.Json.JsonSerializer.SerializeToUtf8Bytes(
            new { CommandId = 1, Command = command, Param = pair is null ? param : null, Params = pair }), new WatchKinds(StandardExtensions.All));
    }

    private static string Matched(Watches watches) => string.Join(' ', s_notices.Where(notice =>
    {
        using var builder = new NoticeBatchBuilder(s_replica, StandardExtensions.All);
        notice.Add(builder);
        NoticeBatch round = builder.Build(Etag.None, 0);
        return watches.Matches(round, round.Entries[0]);
    }).Select(notice => notice.Name));

    private static Change Document(ChangeKind kind, string id, string collection, bool isArtificial = false) => new()
    {
        Kind = kind,
        Id = Encoding.UTF8.GetBytes(id),
        Collection = Encoding.UTF8.GetBytes(collection),
        Etag = new Etag(1),
        ChangeVector = default,
        IsArtificial = isArtificial,
    };

    private static Change Counter(ChangeKind kind, string id, string name) => new()
    {
        Kind = kind,
        Id = Encoding.UTF8.GetBytes(id),
        Collection = "Users"u8,
        Etag = new Etag(1),
        ChangeVector = default,
        Extension = CounterExtension.Instance.Slot,
        Name = Encoding.UTF8.GetBytes(name),
        Payload = CounterPayload.Of(7),
    };
}
