using System.Text;
using System.Text.Json;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Indexing;
using Jackdaw.Json;
using Jackdaw.Server.Notices;

namespace Jackdaw.Server.Tests.Notices;

public sealed class NoticeReaderTests : IDisposable
{
    private static readonly Replica s_replica = new(NodeTag.Default, new string('x', 22));

    private readonly NoticeBatchBuilder _builder = new(s_replica, StandardExtensions.All);
    private readonly PooledBuffer _frame = new();
    private NoticeBatch _tail = new([], [], Etag.None, 0);
    private long _etag;

    public void Dispose()
    {
        _builder.Dispose();
        _frame.Dispose();
    }

    [Fact]
    public void TryFill_TextOfEachNotice_IsTheProtocols()
    {
        NoticeReader reader = Watching(false, "watch-docs", "watch-counters", "watch-indexes");
        Assert.Equal("[{\"CommandId\":0,\"Type\":\"Confirm\"},{\"CommandId\":1,\"Type\":\"Confirm\"},{\"CommandId\":2,\"Type\":\"Confirm\"}]", Fill(reader));
        _builder.Add(new Change
        {
            Kind = ChangeKind.DocumentPut,
            Id = "Users/\"1\""u8,
            Collection = "Users"u8,
            Etag = new Etag(5),
            ChangeVector = default,
        });
        _builder.Add(new Change
        {
            Kind = ChangeKind.DocumentDelete,
            Id = "a"u8,
            Collection = "B"u8,
            Etag = new Etag(6),
            ChangeVector = "A:6-y, B:1-z"u8,
        });
        _builder.Add(new Change
        {
            Kind = ChangeKind.ExtensionChange,
            Id = "a"u8,
            Collection = "B"u8,
            Etag = new Etag(7),
            ChangeVector = default,
            Extension = CounterExtension.Instance.Slot,
            Name = "likes"u8,
            Payload = CounterPayload.Of(-3),
        });
        _builder.Add(new IndexChange(IndexChangeKind.SideBySideReplace, "I"));
        HandOut();
        Assert.Equal(
            """[{"Type":"DocumentChange","Value":{"Type":"Put","Id":"Users/\"1\"","CollectionName":"Users","ChangeVector":"A:5-xxxxxxxxxxxxxxxxxxxxxx"}},"""
            + """{"Type":"DocumentChange","Value":{"Type":"Delete","Id":"a","CollectionName":"B","ChangeVector":"A:6-y, B:1-z"}},"""
            + """{"Type":"CounterChange","Value":{"Type":"Increment","Name":"likes","Value":-3,"DocumentId":"a","CollectionName":"B","""
            + "\"ChangeVector\":\"A:7-xxxxxxxxxxxxxxxxxxxxxx\"}},{\"Type\":\"IndexChange\",\"Value\":{\"Type\":\"SideBySideReplace\",\"Name\":\"I\"}}]",
            Fill(reader));
        Assert.Equal("", Fill(reader));
    }

    [Fact]
    public void TryFill_Extended_EtagsAreAdded()
    {
        NoticeReader reader = Watching(true, "watch-docs");
        Fill(reader);
        Put("a");
        HandOut();
        Assert.EndsWith(",\"Etag\":1}}]", Fill(reader), StringComparison.Ordinal);
    }

    [Fact]
    public void TryFill_SystemDocument_IsCommon()
    {
        NoticeReader reader = Watching(false, "watch-docs");
        Fill(reader);
        Put("Raven/Hilo/users", "@hilo");
        HandOut();
        Assert.Contains("{\"Type\":\"Common\",\"Id\":\"Raven/Hilo/users\"", Fill(reader), StringComparison.Ordinal);
    }

    [Fact]
    public void TryFill_ManyWatchesOfOneDocument_OneNotice()
    {
        NoticeReader reader = Watching(false, "watch-docs", "watch-docs");
        foreach (string command in (string[])["watch-doc", "watch-prefix", "watch-collection"])
        {
            reader.Apply(Command(command, "a"));
        }

        Fill(reader);
        Put("a", "a");
        HandOut();
        Assert.Single(JsonDocument.Parse(Fill(reader)).RootElement.EnumerateArray());
    }

    [Fact]
    public void TryFill_MoreThanAFrame_SeveralInOrder()
    {
        NoticeReader reader = Watching(false, "watch-docs");
        Fill(reader);
        for (int i = 0; i < 1000; i++)
        {
            Put($"documents/{i}");
        }

        HandOut();
        List<string> ids = [];
        int frames = 0;
        for (string frame = Fill(reader); frame.Length > 0; frame = Fill(reader), frames++)
        {
            Assert.InRange(frame.Length, 1, NoticeReader.FrameBytes + 300);
            ids.AddRange(JsonDocument.Parse(frame).RootElement.EnumerateArray().Select(n => n.GetProperty("Value").GetProperty("Id").GetString()!));
        }

        Assert.InRange(frames, 5, 20);
        Assert.Equal(Enumerable.Range(0, 1000).Select(i => $"documents/{i}"), ids);
    }

    [Fact]
    public void CutIfBehind_Extended_TheGapNamesWhatWasSkipped()
    {
        NoticeReader reader = Watching(true, "watch-docs");
        Fill(reader);
        Put("a");
        HandOut();
        Fill(reader);
        Put("b");
        HandOut();
        Put("c");
        HandOut();
        reader.CutIfBehind(_tail, bytesMax: 1);
        Put("d");
        HandOut();
        reader.CutIfBehind(_tail, bytesMax: 1 << 20); // is not behind any more
        Assert.StartsWith(
            "[{\"Type\":\"Gap\",\"Value\":{\"After\":1,\"Last\":3}},{\"Type\":\"DocumentChange\",\"Value\":{\"Type\":\"Put\",\"Id\":\"d\"",
            Fill(reader), StringComparison.Ordinal);
        Assert.Null(reader.End);
    }

    [Fact]
    public void CutIfBehind_InTheMiddleOfARound_TheGapBeginsBeforeIt()
    {
        NoticeReader reader = Watching(true, "watch-docs");
        Fill(reader);
        Put("a");
        HandOut();
        for (int i = 0; i < 200; i++)
        {
            Put($"documents/{i}");
        }

        HandOut();
        Fill(reader);
        reader.CutIfBehind(_tail, bytesMax: -1);
        Assert.Equal("[{\"Type\":\"Gap\",\"Value\":{\"After\":1,\"Last\":201}}]", Fill(reader));
    }

    [Fact]
    public void CutIfBehind_OfficialClient_EndsWithoutTellingMore()
    {
        NoticeReader reader = Watching(false, "watch-doc:a");
        bool isTold = false;
        reader.Missed += () => isTold = true;
        Fill(reader);
        Put("a");
        HandOut();
        reader.CutIfBehind(_tail, bytesMax: 0);
        Put("a");
        HandOut();
        Assert.Equal("", Fill(reader));
        Assert.True(isTold);
        Assert.Equal(NoticeEndKind.Missed, reader.End!.Kind);
    }

    [Fact]
    public void CutIfBehind_WatchesNothing_GoesOn()
    {
        NoticeReader reader = Watching(false, "watch-topology-change");
        Fill(reader);
        Put("a");
        HandOut();
        reader.CutIfBehind(_tail, bytesMax: 0);
        reader.Apply(Command("watch-docs"));
        Put("b");
        HandOut();
        string frame = Fill(reader);
        Assert.Contains("\"b\"", frame, StringComparison.Ordinal);
        Assert.DoesNotContain("Gap", frame, StringComparison.Ordinal);
        Assert.Null(reader.End);
    }

    [Fact]
    public void TryFill_Caches_OneNoticeForAll()
    {
        NoticeReader reader = Watching(false, "watch-aggressive-caching");
        Fill(reader);
        Put("a");
        _builder.Add(new IndexChange(IndexChangeKind.BatchCompleted, "I"));
        HandOut();
        Put("b");
        HandOut();
        Assert.Equal("[{\"Type\":\"AggressiveCacheChange\"}]", Fill(reader));
        _builder.Add(new IndexChange(IndexChangeKind.PriorityChanged, "I"));
        Count("a");
        HandOut();
        Assert.Equal("", Fill(reader));
        Put("c");
        HandOut();
        reader.CutIfBehind(_tail, bytesMax: 0);
        Assert.Equal("[{\"Type\":\"AggressiveCacheChange\"}]", Fill(reader));
        Assert.Null(reader.End);
    }

    [Fact]
    public void TryFill_CachesExtended_NamesEverything()
    {
        NoticeReader reader = Watching(true, "watch-aggressive-caching");
        Fill(reader);
        Put("Users/1", "Users");
        Put("Users/1", "Users");
        _builder.Add(new Change { Kind = ChangeKind.DocumentMove, Id = "m"u8, Collection = "Old"u8, Etag = Next(), ChangeVector = default });
        _builder.Add(new Change
        {
            Kind = ChangeKind.DocumentPut,
            Id = "Sums/1"u8,
            Collection = "Sums"u8,
            Etag = Next(),
            ChangeVector = default,
            IsArtificial = true,
        });
        _builder.Add(new Change { Kind = ChangeKind.CompareExchangePut, Id = "key"u8, Collection = default, Etag = Next(), ChangeVector = default });
        _builder.Add(new IndexChange(IndexChangeKind.IndexRemoved, "I"));
        Count("counted");
        HandOut();
        Assert.Equal(
            """[{"Type":"AggressiveCacheChange","Value":{"IsUnknown":false,"Ids":["Users/1","m","Sums/1","counted"],"Collections":["Users","Old","Sums","C"],"""
            + "\"Indexes\":[\"I\"],\"CompareExchange\":[\"key\"]}}]",
            Fill(reader));
        Put("Users/1", "Users");
        HandOut();
        reader.CutIfBehind(_tail, bytesMax: 0);
        Assert.Contains("\"IsUnknown\":true", Fill(reader), StringComparison.Ordinal);
        Put("b");
        HandOut();
        Assert.Contains("\"IsUnknown\":false,\"Ids\":[\"b\"]", Fill(reader), StringComparison.Ordinal);
    }

    [Fact]
    public void TryFill_CachesExtended_ManyIdsInSeveralFrames()
    {
        NoticeReader reader = Watching(true, "watch-aggressive-caching");
        Fill(reader);
        for (int i = 0; i < 5000; i++)
        {
            Put($"documents/{i}");
        }

        HandOut();
        HashSet<string> ids = [];
        int frames = 0;
        for (string frame = Fill(reader); frame.Length > 0; frame = Fill(reader), frames++)
        {
            Assert.InRange(frame.Length, 1, NoticeReader.FrameBytes + 300);
            JsonElement value = Assert.Single(JsonDocument.Parse(frame).RootElement.EnumerateArray()).GetProperty("Value");
            ids.UnionWith(value.GetProperty("Ids").EnumerateArray().Select(id => id.GetString()!));
        }

        Assert.InRange(frames, 2, 20);
        Assert.Equal(5000, ids.Count);
    }

    [Theory]
    [InlineData("watch-counters", true)]
    [InlineData("watch-docs", false)]
    public void TryFill_GapOfCounters_ConcernsTheirWatchers(string command, bool isConcerned)
    {
        NoticeReader official = Watching(false, command);
        NoticeReader extended = Watching(true, command);
        Fill(official);
        Fill(extended);
        _builder.AddGap(NoticeKind.ExtensionGap, new Etag(3), new Etag(9));
        HandOut();
        Assert.True(official.WaitAsync(default).IsCompletedSuccessfully);
        Assert.Equal("", Fill(official));
        Assert.Equal(isConcerned, official.End is { Kind: NoticeEndKind.Missed });
        Assert.Equal(isConcerned, official.WaitAsync(default).IsCompleted); // whoever sends learns of the end without another round
        Assert.Equal(isConcerned ? "[{\"Type\":\"Gap\",\"Value\":{\"After\":3,\"Last\":9}}]" : "", Fill(extended));
        Assert.Null(extended.End);
    }

    [Fact]
    public async Task Apply_TooManyConfirmations_WaitsForAFrame()
    {
        NoticeReader reader = Watching(false);
        for (int i = 0; i < NoticeReader.ConfirmationsMax; i++)
        {
            await reader.WaitForRoomAsync(default);
            reader.Apply(Command("watch-docs"));
        }

        Task waiting = reader.WaitForRoomAsync(default).AsTask();
        Assert.False(waiting.IsCompleted);
        Fill(reader);
        await waiting.WaitAsync(TimeSpan.FromSeconds(20));
    }

    private static WatchCommand Command(string command, string? param = null, int id = 0) => WatchCommand.Read(
        JsonSerializer.SerializeToUtf8Bytes(new { CommandId = id, Command = command, Param = param }), new WatchKinds(StandardExtensions.All));

    private NoticeReader Watching(bool isExtended, params ReadOnlySpan<string> commands)
    {
        var reader = new NoticeReader(isExtended);
        reader.Begin(_tail);
        for (int i = 0; i < commands.Length; i++)
        {
            string[] parts = commands[i].Split(':');
            reader.Apply(Command(parts[0], parts.Length > 1 ? parts[1] : null, i));
        }

        return reader;
    }

    private Etag Next() => new(++_etag);

    private void Put(string id, string collection = "C") => _builder.Add(new Change
    {
        Kind = ChangeKind.DocumentPut,
        Id = Encoding.UTF8.GetBytes(id),
        Collection = Encoding.UTF8.GetBytes(collection),
        Etag = Next(),
        ChangeVector = default,
    });

    private void Count(string id) => _builder.Add(new Change
    {
        Kind = ChangeKind.ExtensionChange,
        Id = Encoding.UTF8.GetBytes(id),
        Collection = "C"u8,
        Etag = Next(),
        ChangeVector = default,
        Extension = CounterExtension.Instance.Slot,
        Name = "likes"u8,
        Payload = CounterPayload.Of(1),
    });

    private void HandOut()
    {
        NoticeBatch round = _builder.Build(new Etag(_etag), _tail.End);
        _tail.Next = round;
        _tail = round;
    }

    private string Fill(NoticeReader reader) => reader.TryFill(_frame) ? Encoding.UTF8.GetString(_frame.Written) : "";
}
