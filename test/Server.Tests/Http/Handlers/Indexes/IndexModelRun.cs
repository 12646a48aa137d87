using System.Text.Json;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Pal.Simulation;
using Jackdaw.Search.Segments.Merging;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>One run of the model: random changes from a seed, and comparisons with what is built afterwards.</summary>
internal sealed class IndexModelRun(int seed)
{
    private const int StepsKept = 60;

    private static readonly string[] s_fields =
        ["Company", "Size", "Product", "Quantity", "Name", "Kind", "Id", "CompanyName", "Half"];

    private static readonly SliceSizes s_tinySlices = new()
    {
        BatchMergeEntriesMax = 0,
        SliceBytesMax = 1,
        SliceTimeMax = TimeSpan.Zero,
        BehindBatchTimeMax = TimeSpan.FromMilliseconds(1),
        WithoutBatchTime = TimeSpan.FromMilliseconds(1),
        FreedBytesMax = 1,
    };

    private readonly Random _random = new(seed);
    private readonly Queue<string> _steps = new();
    private readonly Dictionary<string, int> _versions = IndexModelKind.All.ToDictionary(kind => kind.Name, _ => 1);
    private SimulatedPlatform _platform = new(seed);
    private ServerFixture _server = null!;
    private IndexModelDocuments _documents = null!;

    /// <summary>0: no power cuts.</summary>
    public int BatchesBetweenCuts { get; init; }

    public int Documents { get; init; } = 25;

    /// <summary>Indexes are reset, changed, disabled, paused and rest, and tombstones are trimmed.</summary>
    public bool ChangesIndexes { get; init; }

    /// <summary>Each step of a merge is a transaction of its own, so that cuts happen inside of merges.</summary>
    public bool HasTinySlices { get; init; }

    /// <summary>What it did last, for messages.</summary>
    public string Steps => string.Join("; ", _steps);

    public override string ToString() =>
        $"seed {seed}, {Documents} documents, a power cut after each {BatchesBetweenCuts} batches"
        + $"{(ChangesIndexes ? ", indexes change" : "")}{(HasTinySlices ? ", tiny slices" : "")}";

    public async Task RunAsync(int batches)
    {
        _documents = new IndexModelDocuments(_random, Documents);
        SliceSizes.Default = HasTinySlices ? s_tinySlices : new SliceSizes(); // of indexes that are opened from now on
        _server = await ServerFixture.StartAsync(new ServerSetup { Platform = _platform, Settings = """{"Indexing.MapBatchSize":"128"}""" });
        try
        {
            if (_random.Next(2) == 0)
            {
                await ExpectAsync(201, "POST", "/bulk_docs", _documents.MakeAll());
            }

            await PutIndexesAsync("");
            await ChangeOutputAsync(new Random(0));
            for (int batch = 1; batch <= batches; batch++)
            {
                await StepAsync(batch);
            }

            await GoOnAsync();
            await CompareAsync();
        }
        finally
        {
            SliceSizes.Default = new SliceSizes();
            await _server.DisposeAsync();
        }
    }

    private async Task StepAsync(int batch)
    {
        await ExpectAsync(201, "POST", "/bulk_docs", _documents.MakeBatch());
        Note("batch");
        if (_random.Next(4) == 0)
        {
            Note("settled");
            await GoOnAsync(); // a replacement that is disabled is never ready
            await _server.SettledAsync();
        }

        if (_random.Next(10) == 0)
        {
            Note("output");
            await ChangeOutputAsync(_random);
        }

        if (ChangesIndexes)
        {
            await TrimAsync(oneIn: 3);
            await ChangeIndexAsync();
            await TrimAsync(oneIn: 6);
            await AskAsync();
        }

        if (BatchesBetweenCuts > 0 && batch % BatchesBetweenCuts == 0)
        {
            Note("power cut");
            _platform = _platform.Crash(_random.Next());
            await _server.DisposeAsync();
            _server = await ServerFixture.StartAsync(new ServerSetup { Platform = _platform });
        }

        if (ChangesIndexes && _random.Next(12) == 0)
        {
            Note("compared");
            await GoOnAsync();
            await CompareAsync();
            foreach (string name in IndexModelKind.All.Select(kind => kind.Name).Append("Output"))
            {
                await ExpectAsync(204, "DELETE", $"/indexes?name={name}2");
            }
        }
    }

    private void Note(string step)
    {
        _steps.Enqueue(step);
        if (_steps.Count > StepsKept)
        {
            _steps.Dequeue();
        }
    }

    private async Task TrimAsync(int oneIn)
    {
        if (_random.Next(oneIn) == 0)
        {
            Note("trimmed");
            while (await _server.Database.TrimAsync(default))
            {
                // There are more.
            }
        }
    }

    private async Task ChangeIndexAsync()
    {
        DatabaseIndex[] indexes = [.. _server.Indexes.All.Where(index => index.Record.Replaces is null)];
        string name = indexes[_random.Next(indexes.Length)].Name;
        int step = _random.Next(12);
        Note($"{step} of {name}");
        switch (step)
        {
            case 0:
                await ExpectAsync(204, "POST", "/admin/indexes/disable?name=" + Uri.EscapeDataString(name));
                break;
            case 1 or 2:
                await GoOnAsync();
                break;
            case 3:
                await ExpectAsync(204, "POST", "/admin/indexes/stop?name=" + Uri.EscapeDataString(name));
                break;
            case 4:
                await ExpectAsync(204, "POST", "/admin/indexes/stop");
                break;
            case 5:
                string mode = _random.Next(2) == 0 ? "InPlace" : "SideBySide";
                await ExpectAsync(204, "RESET", $"/indexes?name={Uri.EscapeDataString(name)}&mode={mode}");
                break;
            case 6 or 7 when _versions.ContainsKey(name):
                _versions[name] = _random.Next(1, 4);
                Answer answer = await _server.PutDefinitionsAsync(IndexModelKind.All.Single(kind => kind.Name == name).Define(name, _versions[name]));
                Assert.True(answer.Status == 201, answer.Text);
                break;
            case 8 or 9:
                await RestAsync();
                break;
            case 10 when _random.Next(3) == 0:
                await _server.RestartAsync();
                break;
        }
    }

    // As unasked indexes do after half an hour.
    private async Task RestAsync()
    {
        IEnumerable<DatabaseIndex> unasked = _server.Indexes.All.Where(index => index.Auto is not null && index.Record.State == IndexState.Normal);
        await _server.Indexes.ChangeAsync([.. unasked.Select(index => index.Name)], record => record with { State = IndexState.Idle }, default);
    }

    // Whatever was disabled or paused works again.
    private async Task GoOnAsync()
    {
        foreach (DatabaseIndex index in _server.Indexes.All.Where(index => index.Record.State == IndexState.Disabled))
        {
            await ExpectAsync(204, "POST", "/admin/indexes/enable?name=" + Uri.EscapeDataString(index.Name));
        }

        await ExpectAsync(204, "POST", "/admin/indexes/start");
    }

    // What is not called stale has to be right.
    private async Task AskAsync()
    {
        if (_random.Next(2) == 0)
        {
            string query = IndexModelKind.Queries[_random.Next(IndexModelKind.Queries.Count)];
            Answer auto = await _server.QueryAsync(query, waits: _random.Next(2) == 0);
            Assert.True(auto.Status == 200, auto.Text);
        }

        // Waiting for an index that is paused or disabled takes no time.
        Answer answer = await _server.QueryAsync(
            "from index 'Map' select Size", waits: _random.Next(2) == 0, more: new { ProjectionBehavior = "FromIndex" });
        Assert.True(answer.Status == 200, answer.Text);
        if (!answer.Json.GetProperty("IsStale").GetBoolean())
        {
            Answer stored = await _server.QueryAsync("from Orders", waits: false);
            Assert.Equal(
                IdsOf(stored.Json.GetProperty("Results").EnumerateArray().Where(order => order.GetProperty("Size").GetInt32() != 3)),
                IdsOf(answer.Json.GetProperty("Results").EnumerateArray()));
        }
    }

    private static IEnumerable<string?> IdsOf(IEnumerable<JsonElement> rows) =>
        rows.Select(row => row.GetProperty("@metadata").GetProperty("@id").GetString()).Order(StringComparer.Ordinal);

    private async Task CompareAsync()
    {
        await PutIndexesAsync("2");
        Answer output = await _server.PutDefinitionsAsync(IndexModelKind.All.Single(kind => kind.Name == "Reducing").Define("Output2", version: 1));
        Assert.True(output.Status == 201, output.Text);
        await _server.SettledAsync();
        Answer orders = await _server.QueryAsync("from Orders", waits: false);
        Assert.Equal(_documents.Of("Orders"), IdsOf(orders.Json.GetProperty("Results").EnumerateArray()));
        foreach (IndexModelKind kind in IndexModelKind.All)
        {
            AssertSame(kind.Name, await EntriesAsync(kind.Name + "2", kind.Reduce), await EntriesAsync(kind.Name, kind.Reduce));
        }

        foreach (string query in IndexModelKind.Queries)
        {
            string[] rows = await _server.RowsAsync(query);
            foreach (DatabaseIndex index in _server.Indexes.All.Where(index => index.Auto is not null))
            {
                await ExpectAsync(204, "RESET", $"/indexes?name={Uri.EscapeDataString(index.Name)}");
            }

            AssertSame(query, await _server.RowsAsync(query), rows);
        }

        await AssertOutputsAsync();
    }

    // Equal, but for the order; tells what differs.
    private static void AssertSame(string what, IEnumerable<string> rebuilt, IEnumerable<string> followed)
    {
        string[] expected = [.. rebuilt.Order(StringComparer.Ordinal)];
        string[] actual = [.. followed.Order(StringComparer.Ordinal)];
        static IEnumerable<string> Without(string[] all, string[] others) =>
            all.CountBy(row => row).Where(row => row.Value > others.Count(other => other == row.Key)).Select(row => row.Key);
        Assert.True(
            expected.SequenceEqual(actual),
            $"{what}: {expected.Length} after a rebuild, {actual.Length} before.\nOnly in the rebuild: {string.Join("; ", Without(expected, actual).Take(5))}"
            + $"\nOnly before: {string.Join("; ", Without(actual, expected).Take(5))}");
    }

    private async Task PutIndexesAsync(string suffix)
    {
        Answer answer = await _server.PutDefinitionsAsync([.. IndexModelKind.All.Select(kind => kind.Define(kind.Name + suffix, _versions[kind.Name]))]);
        Assert.True(answer.Status == 201, answer.Text);
    }

    // Whatever an entry holds, with the document it is of; in no order, because entries have that of their batches.
    private async Task<List<string>> EntriesAsync(string index, string? reduce)
    {
        string query = reduce is null ? $"from index '{index}' select {string.Join(", ", s_fields)}" : $"from index '{index}'";
        Answer answer = await _server.QueryAsync(query, more: new { ProjectionBehavior = "FromIndex" });
        Assert.True(answer.Status == 200, answer.Text);
        List<string> entries = [.. answer.Json.GetProperty("Results").EnumerateArray().Select(row => row.GetRawText())];
        entries.Sort(string.CompareOrdinal);
        Assert.Equal(entries.Count, answer.Json.GetProperty("TotalResults").GetInt32());
        return entries;
    }

    // Puts the index whose groups become documents, with one of some patterns, or resets it.
    private async Task ChangeOutputAsync(Random random)
    {
        if (random.Next(3) == 1)
        {
            await _server.DbAsync("RESET", $"/indexes?name=Output&mode={(random.Next(2) == 0 ? "InPlace" : "SideBySide")}");
            return;
        }

        IndexModelKind kind = IndexModelKind.All.Single(kind => kind.Name == "Reducing");
        Answer answer = await _server.PutDefinitionsAsync(new
        {
            Name = "Output",
            Maps = kind.Maps.Select(map => map.Replace("VERSION", "1", StringComparison.Ordinal)),
            kind.Reduce,
            OutputReduceToCollection = "Totals",
            PatternForOutputReduceToCollectionReferences = random.Next(2) == 0 ? "counts/{Count}" : "totals/{Total}",
            PatternReferencesCollectionName = random.Next(2) == 0 ? "Lists" : null,
        });
        Assert.True(answer.Status == 201, answer.Text);
    }

    // Exactly one document for each group, and each of them listed by its number.
    private async Task AssertOutputsAsync()
    {
        string[] rows = await _server.RowsAsync("from index 'Output2'");
        JsonElement[] documents = [.. (await _server.QueryAsync("from Totals", waits: false)).Json.GetProperty("Results").EnumerateArray()];
        AssertSame("Totals", rows, documents.Select(QueryRequests.WithoutMetadata));
        JsonElement definition = (await _server.DbAsync("GET", "/indexes?name=Output")).Json.GetProperty("Results")[0];
        bool isByCount = definition.GetProperty("PatternForOutputReduceToCollectionReferences").GetString()!.StartsWith("counts", StringComparison.Ordinal);
        IEnumerable<string> expected = documents.Select(row =>
            (isByCount ? "counts/" + row.GetProperty("Count").GetRawText() : "totals/" + row.GetProperty("Total").GetRawText())
            + " " + row.GetProperty("@metadata").GetProperty("@id").GetString());
        var listed = new List<string>();
        foreach (string collection in (string[])["Lists", "Totals/References"])
        {
            Answer lists = await _server.QueryAsync($"from '{collection}'", waits: false);
            listed.AddRange(lists.Json.GetProperty("Results").EnumerateArray().SelectMany(list => list.GetProperty("ReduceOutputs").EnumerateArray()
                .Select(output => $"{list.GetProperty("@metadata").GetProperty("@id").GetString()} {output.GetString()}")));
        }

        AssertSame("lists of Totals", expected, listed);
    }

    private async Task ExpectAsync(int status, string method, string path, object? body = null)
    {
        Answer answer = await _server.DbAsync(method, path, body);
        Assert.True(answer.Status == status, $"{method} {path}: {answer.Status}: {answer.Text}");
    }
}
