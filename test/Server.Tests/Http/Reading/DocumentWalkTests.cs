using System.Text;
using System.Text.Json;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal.InMemory;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Http.Reading;
using Jackdaw.Storage;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Http.Reading;

/// <summary>Walks over documents renew their snapshot and keep what they promise while others write.</summary>
public sealed class DocumentWalkTests(ITestOutputHelper log) : IAsyncLifetime
{
    private const int Documents = 400;
    private const int WritesBetweenSteps = 30;

    private readonly ManualTime _time = new();
    private readonly DocumentDatabase _database = DocumentDatabase.Open(
        new MemoryPlatform(), "/db", "db", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());

    public Task InitializeAsync() =>
        _database.WriteAsync([.. Enumerable.Range(0, Documents).Select(i => TestCommands.Put($"x/{i:D4}", TestCommands.Json("X", 0)))]);

    public async Task DisposeAsync() => await _database.DisposeAsync();

    [Theory]
    [InlineData("startsWith=x/", 11)]
    [InlineData("startsWith=", 12)]
    [InlineData("etag=0", 13)]
    [InlineData("", 14)]
    public async Task Walk_WritesBetweenItsSteps_GivesWhatStaysOnce(string query, int seed)
    {
        log.WriteLine($"seed {seed}");
        var random = new Random(seed);
        HashSet<int> touched = [];
        HashSet<int> deleted = [];
        var walk = new DocumentWalk(_database, DocumentQuery.Read(new QueryParameters(query)), isLines: true);
        Dictionary<string, int> seen = [];
        while (Step(walk, seen))
        {
            await WriteAsync(random, touched, deleted);
        }

        Assert.True(touched.Count > Documents / 4, "the writers did too little");
        bool isById = query.StartsWith("starts", StringComparison.Ordinal);
        for (int i = 0; i < Documents; i++)
        {
            int times = seen.GetValueOrDefault($"x/{i:D4}");
            if (!deleted.Contains(i) && (isById || !touched.Contains(i)))
            {
                Assert.True(times == 1, $"x/{i:D4}, there all the time, came {times} times");
            }
            else if (!deleted.Contains(i) && query == "etag=0")
            {
                Assert.True(times >= 1, $"x/{i:D4}, rewritten, did not come");
            }
        }
    }

    [Fact]
    public void IsSpentAfter_TellsAtEachOfItsBounds()
    {
        using var read = new RenewedRead(_database, ReaderKind.List, _time, default);
        for (int i = 1; i < RenewedRead.LookedAtMax; i++)
        {
            Assert.False(read.IsSpentAfter(0));
        }

        Assert.True(read.IsSpentAfter(0));
        read.Renew();
        Assert.False(read.IsSpentAfter((int)RenewedRead.BytesMax - 1));
        Assert.True(read.IsSpentAfter(1));
        read.Renew();
        _time.Advance(RenewedRead.TimeMax - TimeSpan.FromTicks(1));
        Assert.False(read.IsSpentAfter(0));
        _time.Advance(TimeSpan.FromTicks(1));
        Assert.True(read.IsSpentAfter(0));
    }

    [Fact]
    public async Task Renew_ShowsWhatWasWrittenMeanwhile_AndLetsTheOldSnapshotGo()
    {
        using var read = new RenewedRead(_database, ReaderKind.Stream, _time, default);
        Etag last = read.Scope.LastEtag;
        await _database.PutAsync("new", TestCommands.Json("X", 1));
        Assert.Equal(last, read.Scope.LastEtag);
        OldestReader old = _database.Figures!.Storage.OldestReader!.Value;
        Assert.Equal(ReaderKind.Stream, old.Kind);
        Assert.True(old.RetainedScratchBytes > 0);
        read.Renew();
        Assert.Equal(last.Value + 1, read.Scope.LastEtag.Value);
        Assert.Equal(1, _database.Environment.ActiveTransactions);
    }

    [Theory]
    [InlineData("startsWith=x/&start=399")]
    [InlineData("startsWith=x/&exclude=*")]
    [InlineData("pageSize=400")]
    [InlineData("etag=0&start=100")]
    public void Listing_ManyDocuments_RenewsItsSnapshotAndStaysWhole(string query)
    {
        // A clock on which the time of a snapshot is over after every document.
        using var slow = new RenewedRead(_database, ReaderKind.List, new LeapingTime(), default);
        using var plain = new RenewedRead(_database, ReaderKind.List, _time, default);
        DocumentReadScope first = plain.Scope;
        using var expected = new ResponseBuffer(memory: null);
        using var body = new ResponseBuffer(memory: null);
        string? tag = DocumentReads.Read(_database, plain, [], new QueryParameters(query), null, expected).Tag;

        Assert.Equal(tag, DocumentReads.Read(_database, slow, [], new QueryParameters(query), null, body).Tag);
        Assert.Equal(Text(expected), Text(body));
        Assert.Same(first, plain.Scope);
    }

    [Theory]
    [InlineData("", "startsWith=x/&exclude=*")]
    [InlineData("", "etag=0")]
    [InlineData("x/1,x/2", "include=a")]
    public void Read_ClientHasGone_EndsWithTheSnapshot(string ids, string query)
    {
        using var read = new RenewedRead(_database, ReaderKind.List, new LeapingTime(), new CancellationToken(canceled: true));
        using var body = new ResponseBuffer(memory: null);
        string[] asked = ids.Split(',', StringSplitOptions.RemoveEmptyEntries);

        Assert.Throws<OperationCanceledException>(() =>
            DocumentReads.Read(_database, read, asked, new QueryParameters(query), null, body));
    }

    private static string Text(ResponseBuffer buffer)
    {
        var pipe = new MemoryStream();
        var writer = System.IO.Pipelines.PipeWriter.Create(pipe);
        buffer.CopyToAsync(writer, default).AsTask().GetAwaiter().GetResult();
        writer.Complete();
        return Encoding.UTF8.GetString(pipe.ToArray());
    }

    private bool Step(DocumentWalk walk, Dictionary<string, int> seen)
    {
        using var output = new ResponseBuffer(memory: null);
        using var read = new RenewedRead(_database, ReaderKind.Stream, _time, default);
        bool isMore = walk.WriteStep(read, output, bytesMax: 2000);
        foreach (string line in Text(output).Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            string id = JsonDocument.Parse(line).RootElement.GetProperty("@metadata").GetProperty("@id").GetString()!;
            seen[id] = seen.GetValueOrDefault(id) + 1;
        }

        return isMore && seen.Values.Sum() < 20 * Documents;
    }

    private async Task WriteAsync(Random random, HashSet<int> touched, HashSet<int> deleted)
    {
        List<DocumentCommand> commands = [];
        for (int i = 0; i < WritesBetweenSteps && touched.Count < Documents / 2; i++)
        {
            int number = random.Next(Documents);
            bool isDelete = random.Next(4) == 0;
            touched.Add(number);
            commands.Add(isDelete ? TestCommands.Delete($"x/{number:D4}") : TestCommands.Put($"x/{number:D4}", TestCommands.Json("X", i)));
            if (isDelete)
            {
                deleted.Add(number);
            }
        }

        commands.Add(TestCommands.Put($"y/{random.Next()}", TestCommands.Json("Y", 0)));
        await _database.WriteAsync([.. commands]);
    }
}
