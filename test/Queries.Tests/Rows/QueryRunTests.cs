using System.Text;
using System.Text.Json;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Reading;
using Jackdaw.Pal.InMemory;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Queries.Rows;
using Jackdaw.Queries.Searching;
using Jackdaw.Scripting.Caching;
using Jackdaw.Storage;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Queries.Tests.Rows;

/// <summary>Runs of one plan.</summary>
public sealed class QueryRunTests : IAsyncLifetime
{
    private const int Documents = 60;

    private static readonly QueryScripts s_scripts = new();

    private readonly DocumentDatabase _database = DocumentDatabase.Open(
        new MemoryPlatform(), "/db", "db", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());

    public Task InitializeAsync() =>
        _database.WriteAsync([.. Enumerable.Range(0, Documents).Select(i => TestCommands.Put($"x/{i:D2}", TestCommands.Json("X", i)))]);

    public async Task DisposeAsync() => await _database.DisposeAsync();

    [Theory]
    [InlineData("from X", 60)]
    [InlineData("from X limit 7, 20", 20)]
    [InlineData("from X order by random('seed')", 60)]
    [InlineData("from X order by random('seed') limit 5, 5", 5)]
    [InlineData("from X where startsWith(id(), 'x/1') order by random('seed')", 10)]
    [InlineData("from X where id() in ('x/03', 'x/01', 'x/02') limit 2", 2)]
    [InlineData("from X as x select { Half: id(x).length }", 60)]
    public void Step_TwoRunsOfOnePlanInTurns_BothGiveAllRows(string text, int count)
    {
        QueryPlan plan = Plan(text);
        using var first = new Reader(_database, plan);
        using var second = new Reader(_database, plan);
        bool isMore = true;
        while (isMore)
        {
            isMore = first.Step();
            isMore |= second.Step();
        }

        Assert.Equal(count, first.Ids.Distinct().Count());
        Assert.Equal(first.Ids, second.Ids);
    }

    [Fact]
    public void Step_RandomOrderWithoutASeed_IsAnotherOrderInEachRun()
    {
        QueryPlan plan = Plan("from X order by random()");
        List<string> orders = [];
        for (int i = 0; i < 3; i++)
        {
            using var reader = new Reader(_database, plan);
            while (reader.Step())
            {
            }

            Assert.Equal(Documents, reader.Ids.Distinct().Count());
            orders.Add(string.Join(',', reader.Ids));
        }

        Assert.Equal(3, orders.Distinct().Count());
    }

    private static QueryPlan Plan(string text)
    {
        QueryText parsed = QueryText.Of(text);
        var request = new QueryRequest { Text = text };
        using var parameters = new ParameterValues(text, request.Parameters);
        return QueryPlan.Make(parsed, parsed.Syntax, request, parameters, StandardExtensions.All, s_scripts, isIndexed: false);
    }

    /// <summary>Reads the rows of one run, a few in each step.</summary>
    private sealed class Reader : IDisposable
    {
        private readonly AnswerAdmission _admission = new();
        private readonly DocumentDatabase _database;
        private readonly QueryRun _run;
        private readonly ResponseBuffer _output;
        private readonly QueryRows _rows;
        private bool _isMore = true;

        public Reader(DocumentDatabase database, QueryPlan plan)
        {
            _database = database;
            _run = new QueryRun(plan, search: null, s_scripts, CancellationToken.None) { Database = database, Deadline = new QueryDeadline(null) };
            _output = new ResponseBuffer(_admission);
            _rows = new QueryRows(database, _run, _output, _admission, RowFormat.Lines, includes: null, stepBytesMax: 500);
        }

        public List<string> Ids { get; } = [];

        public bool Step()
        {
            if (_isMore)
            {
                using var read = new RenewedRead(_database, ReaderKind.Stream, TimeProvider.System, CancellationToken.None);
                _isMore = _rows.Step(read);
                using var all = new ResponseBuffer(null);
                _output.AppendTo(all);
                if (all.TryGetOneStep(out ReadOnlySpan<byte> bytes))
                {
                    Ids.AddRange(Encoding.UTF8.GetString(bytes).Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(IdOf));
                }

                _output.Clear();
            }

            return _isMore;
        }

        public void Dispose()
        {
            _rows.Dispose();
            _output.Dispose();
            _run.Dispose();
        }

        private static string IdOf(string line)
        {
            using var json = JsonDocument.Parse(line);
            return json.RootElement.GetProperty("Item").GetProperty("@metadata").GetProperty("@id").GetString()!;
        }
    }
}
