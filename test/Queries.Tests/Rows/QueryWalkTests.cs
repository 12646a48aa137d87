using System.Text;
using System.Text.Json;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Reading;
using Jackdaw.Pal.InMemory;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Rows;
using Jackdaw.Scripting.Caching;
using Jackdaw.Storage;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Queries.Tests.Rows;

/// <summary>Walks of queries over more than one snapshot keep what they promise while others write.</summary>
public sealed class QueryWalkTests(ITestOutputHelper log) : IAsyncLifetime
{
    private static readonly QueryScripts s_scripts = new();

    private const int Documents = 300;
    private const int WritesBetweenSteps = 20;

    private readonly ManualTime _time = new();
    private readonly AnswerAdmission _admission = new();
    private readonly DocumentDatabase _database = DocumentDatabase.Open(
        new MemoryPlatform(), "/db", "db", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());

    public Task InitializeAsync() =>
        _database.WriteAsync([.. Enumerable.Range(0, Documents).Select(i => TestCommands.Put($"x/{i:D4}", TestCommands.Json("X", 0)))]);

    public async Task DisposeAsync() => await _database.DisposeAsync();

    [Theory]
    [InlineData("from X", false, 21)]
    [InlineData("from @all_docs", false, 22)]
    [InlineData("from X order by id()", true, 23)]
    [InlineData("from X where startsWith(id(), 'x/') filter exists(@metadata)", true, 24)]
    public async Task Step_WritesBetweenSteps_GivesWhatStaysOnce(string query, bool givesWritten, int seed)
    {
        log.WriteLine($"seed {seed}");
        var random = new Random(seed);
        HashSet<string> written = [];
        HashSet<string> deleted = [];
        List<string> seen = [];
        using QueryRun planned = QueryRun.Prepare(_database, new QueryRequest { Text = query }, s_scripts, CancellationToken.None);
        using var output = new ResponseBuffer(_admission);
        using var rows = new QueryRows(
            _database, planned, output, _admission, RowFormat.Lines, includes: null, stepBytesMax: 500);
        bool isMore = true;
        int steps = 0;
        for (; isMore && steps <= Documents; steps++)
        {
            using (var read = new RenewedRead(_database, ReaderKind.Stream, _time, CancellationToken.None))
            {
                isMore = rows.Step(read);
            }

            seen.AddRange(IdsOf(output));
            output.Clear();
            await WriteAsync(random, written, deleted);
        }

        Assert.InRange(steps, 10, Documents);
        Assert.Equal(seen.Count, seen.Distinct().Count());
        IEnumerable<string> stayed = Enumerable.Range(0, Documents).Select(i => $"x/{i:D4}")
            .Where(id => !deleted.Contains(id) && (givesWritten || !written.Contains(id)));
        Assert.Empty(stayed.Except(seen));
        Assert.NotEmpty(written);
    }

    [Fact]
    public void Step_LongRun_EndsItsSnapshotAndStopsForAClientThatIsGone()
    {
        using var aborted = new CancellationTokenSource();
        using QueryRun planned = QueryRun.Prepare(
            _database, new QueryRequest { Text = "from X filter true" }, s_scripts, CancellationToken.None);
        using var output = new ResponseBuffer(_admission);
        using var rows = new QueryRows(_database, planned, output, _admission, RowFormat.Array);
        using var read = new RenewedRead(_database, ReaderKind.List, _time, aborted.Token);
        _time.Advance(RenewedRead.TimeMax);
        Assert.True(rows.Step(read));
        Assert.Equal(1, rows.Scanned);
        aborted.Cancel();
        Assert.Throws<OperationCanceledException>(read.Renew);
    }

    private static IEnumerable<string> IdsOf(ResponseBuffer output)
    {
        using var all = new ResponseBuffer(null);
        output.AppendTo(all);
        Assert.True(all.TryGetOneStep(out ReadOnlySpan<byte> bytes));
        return [.. Encoding.UTF8.GetString(bytes).Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line =>
            JsonDocument.Parse(line).RootElement.GetProperty("Item").GetProperty("@metadata").GetProperty("@id").GetString()!)];
    }

    private async Task WriteAsync(Random random, HashSet<string> written, HashSet<string> deleted)
    {
        for (int i = 0; i < WritesBetweenSteps; i++)
        {
            string id = $"x/{random.Next(Documents * 2):D4}";
            bool isDelete = random.Next(3) == 0;
            (isDelete ? deleted : written).Add(id);
            await _database.WriteAsync(isDelete ? TestCommands.Delete(id) : TestCommands.Put(id, TestCommands.Json("X", 1)));
        }
    }
}
