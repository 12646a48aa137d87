using System.Collections.Concurrent;
using System.Globalization;
using System.Text.Json;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Notices;

/// <summary>Many writers, several watchers whose sockets drop and who read slowly: what is told is compared with the answers to the
/// writes.</summary>
public sealed class NoticeCompletenessTests(ITestOutputHelper output)
{
    private const int Writers = 6;
    private const int DocumentsPerWriter = 30;

    /// <summary>Before the collection of a write that only its watchers are told: the document left it.</summary>
    private const string Left = "left ";

    private static readonly string[] s_collections = ["Users", "Orders", "Things"];

    private readonly ConcurrentDictionary<long, Write> _written = new(); // by etag
    private readonly ConcurrentQueue<Segment> _segments = new();
    private readonly List<string> _faults = [];
    private long _clock; // of the beginnings of writes

    [Fact]
    public Task Notices_FiveThousandChanges_InOrderAndNoneIsMissing() => RunAsync(1, 5000);

    [Fact]
    [Trait("Tier", "Full")]
    public Task Notices_OneHundredThousandChanges_InOrderAndNoneIsMissing() => RunAsync(3, 100_000);

    private async Task RunAsync(int seed, int changes)
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        server.Notices.WaitingBytesMax = 150_000;
        using var done = new CancellationTokenSource();
        Task[] watchers =
        [
            FollowAsync(server, seed + 100, null, isExtended: false, mayDrop: false, isSlow: false, done.Token),
            FollowAsync(server, seed + 101, null, isExtended: false, mayDrop: true, isSlow: false, done.Token),
            FollowAsync(server, seed + 102, "Users", isExtended: false, mayDrop: false, isSlow: false, done.Token),
            FollowAsync(server, seed + 103, "Orders", isExtended: false, mayDrop: true, isSlow: true, done.Token),
            FollowAsync(server, seed + 104, null, isExtended: true, mayDrop: false, isSlow: true, done.Token),
            FollowAsync(server, seed + 105, "Things", isExtended: true, mayDrop: true, isSlow: true, done.Token),
        ];
        await Task.WhenAll(Enumerable.Range(0, Writers).Select(writer => WriteAsync(server, seed, writer, changes / Writers)));
        await done.CancelAsync(); // before the last write: who has not seen this is told of that
        await server.PutEmptyAsync("the/end", "Ends");
        await Task.WhenAll(watchers);
        foreach (Segment segment in _segments)
        {
            Check(segment);
        }

        int gaps = _segments.Sum(segment => segment.Told.Count(told => told.Text is null));
        output.WriteLine($"seed {seed}: {_written.Count} changes written, {_segments.Sum(segment => segment.Told.Count)} notices over {_segments.Count} "
            + $"connections, {gaps} gaps named");
        Assert.True(_faults.Count == 0, $"seed {seed}: {_faults.Count} faults: " + string.Join('\n', _faults.Take(10)));
        Assert.True(_segments.Count > watchers.Length && gaps > 0, $"seed {seed}: the run proves too little");
    }

    // Each writer has documents of its own, so it knows what is there.
    private async Task WriteAsync(ServerFixture server, int seed, int writer, int changes)
    {
        var random = new Random((seed * 1000) + writer);
        string padding = new('x', 300); // so that sockets are full before the test is long
        string[] ids = [.. Enumerable.Range(0, DocumentsPerWriter).Select(i => $"docs/{writer}/{i}/{padding}")];
        var stored = new Dictionary<string, string>();
        for (int n = 0; n < changes;)
        {
            string[] chosen = [.. random.GetItems(ids, random.Next(1, 20)).Distinct()];
            List<(string Id, string? Collection)> batch = [.. chosen.Select(id =>
                (id, stored.ContainsKey(id) && random.Next(4) == 0 ? null : s_collections[random.Next(s_collections.Length)]))];
            long began = Interlocked.Increment(ref _clock);
            JsonElement[] results = await server.WriteAsync(batch.Select(command => command.Collection is { } collection
                ? NoticeRequests.PutCommand(command.Id, collection)
                : new { Type = "DELETE", command.Id }));
            for (int i = 0; i < batch.Count; i++, n++)
            {
                Note(batch[i], results[i], stored, began);
            }
        }
    }

    private void Note((string Id, string? Collection) command, JsonElement result, Dictionary<string, string> stored, long began)
    {
        string? before = stored.GetValueOrDefault(command.Id);
        if (command.Collection is not { } collection)
        {
            _written[EtagOf(result.GetProperty("ChangeVector"))] = new Write($"Delete {command.Id}", before!, began);
            stored.Remove(command.Id);
            return;
        }

        long etag = EtagOf(result.GetProperty("@change-vector"));
        _written[etag] = new Write($"Put {command.Id}", collection, began);
        if (before is not null && before != collection)
        {
            _written[etag - 1] = new Write($"Delete {command.Id}", Left + before, began);
        }

        stored[command.Id] = collection;
    }

    private static long EtagOf(JsonElement vector) =>
        long.Parse(vector.GetString()!.Split('-')[0].Split(':')[1], CultureInfo.InvariantCulture);

    /// <summary>Follows all documents or a collection over as many connections as it takes.</summary>
    private async Task FollowAsync(
        ServerFixture server, int seed, string? collection, bool isExtended, bool mayDrop, bool isSlow, CancellationToken done)
    {
        var random = new Random(seed);
        for (bool isEnd = false; !isEnd;)
        {
            using NoticeClient client = await server.ConnectAsync(isExtended ? "?extended=true" : "", isSlow ? 4096 : null);
            bool isOpen = await client.TryCommandAsync(collection is null ? "watch-docs" : "watch-collection", collection);
            long confirmed = Interlocked.Read(ref _clock);
            isOpen = isOpen && await client.TryCommandAsync("watch-doc", "the/end");
            bool isLast = done.IsCancellationRequested;
            if (isLast)
            {
                await server.PutEmptyAsync("the/end", "Ends");
            }

            int frames = mayDrop && !isLast ? random.Next(5, 40) : int.MaxValue;
            while (isOpen && frames-- > 0 && !isEnd && await client.ReadFrameAsync())
            {
                isEnd = client.EndsWith("the/end");
                while (isSlow && !done.IsCancellationRequested)
                {
                    await Task.Delay(random.Next(100), CancellationToken.None); // a client that reads slowly
                    if (random.Next(isExtended ? 40 : 2) == 0)
                    {
                        break; // the next frame; those who are told of gaps often sleep for seconds
                    }
                }
            }

            _segments.Enqueue(new Segment(collection, confirmed, [.. client.Received.Select(Read).OfType<Told>()]));
        }
    }

    private static Told? Read(JsonElement notice)
    {
        if (!notice.TryGetProperty("Value", out JsonElement value))
        {
            return null;
        }

        return notice.GetProperty("Type").GetString() == "Gap"
            ? new Told(value.GetProperty("After").GetInt64(), value.GetProperty("Last").GetInt64(), null)
            : new Told(EtagOf(value.GetProperty("ChangeVector")) - 1, EtagOf(value.GetProperty("ChangeVector")),
                $"{value.GetProperty("Type")} {value.GetProperty("Id")}");
    }

    private void Check(Segment segment)
    {
        long last = 0;
        foreach (Told told in segment.Told)
        {
            if (told.Last <= last)
            {
                _faults.Add($"{told} came after {last}");
            }

            if (told.Text is { } text && _written.GetValueOrDefault(told.Last)?.Text != text && text != "Put the/end")
            {
                _faults.Add($"{told}, but {_written.GetValueOrDefault(told.Last)} was written");
            }

            for (long etag = last + 1; etag <= told.After; etag++)
            {
                if (_written.TryGetValue(etag, out Write? missing) && missing.Began > segment.Confirmed && IsWatched(segment, missing))
                {
                    _faults.Add($"{etag} {missing} is missing between {last} and {told} for {segment.Collection ?? "all"}");
                }
            }

            last = told.Last;
        }
    }

    private static bool IsWatched(Segment segment, Write write) => segment.Collection is { } collection
        ? write.Collection.Replace(Left, "", StringComparison.Ordinal) == collection
        : !write.Collection.StartsWith(Left, StringComparison.Ordinal);

    /// <summary>A change that was answered; Began is a time on the clock of writes.</summary>
    private sealed record Write(string Text, string Collection, long Began);

    /// <summary>A notice, or a gap, which has no text.</summary>
    private sealed record Told(long After, long Last, string? Text);

    /// <summary>What one connection was told.</summary>
    private sealed record Segment(string? Collection, long Confirmed, List<Told> Told);
}
