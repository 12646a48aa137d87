using System.Collections.Concurrent;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Database;
using Jackdaw.Pal.Simulation;

namespace Jackdaw.Documents.Tests.Attachments;

/// <summary>Power cuts at any moment of uploads, adoptions, deletions and collecting: what was acknowledged is there whole, nothing else is there
/// by halves, and the collector leaves no byte that nothing refers to.</summary>
public sealed class AttachmentCrashTests
{
    private const int Writers = 4;

    [Theory]
    [InlineData(31)]
    [InlineData(32)]
    public Task PowerCuts_KeepWhatWasAcknowledgedAndNothingElse(int seed) => RunAsync(seed, states: 25);

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData(200)]
    public async Task ManyPowerCuts_KeepWhatWasAcknowledgedAndNothingElse(int seeds)
    {
        for (int seed = 5000; seed < 5000 + seeds; seed++)
        {
            await RunAsync(seed, states: 25);
        }
    }

    private static async Task RunAsync(int seed, int states)
    {
        var platform = new SimulatedPlatform(seed);
        string databaseId = DocumentDatabase.MakeDatabaseId();
        var acknowledged = new ConcurrentDictionary<string, (int Version, byte[]? Bytes)>();
        var begun = new ConcurrentDictionary<string, (int Version, byte[]? Bytes)>();
        var crashed = new List<(SimulatedPlatform After, Dictionary<string, (int, byte[]?)> Known, Dictionary<string, (int, byte[]?)> Begun)>();
        await using (DocumentDatabase database = AttachmentBed.Open(platform, databaseId))
        {
            await AttachmentBed.WriteAsync(
                database, [.. Enumerable.Range(0, Writers).Select(i => TestCommands.Put($"docs/{i}", TestCommands.Json("Docs", i)))]);
            using var stop = new CancellationTokenSource();
            Task[] writers = [.. Enumerable.Range(0, Writers).Select(writer => Task.Run(
                () => WriteAsync(database, writer, seed, acknowledged, begun, stop.Token)))];
            var random = new Random(seed);
            for (int i = 0; i < states; i++)
            {
                await Task.Delay(random.Next(8)); // the crash may come at any moment
                var known = new Dictionary<string, (int, byte[]?)>(acknowledged);
                SimulatedPlatform after = platform.Crash((seed * 1000) + i);
                crashed.Add((after, known, new Dictionary<string, (int, byte[]?)>(begun)));
            }

            await stop.CancelAsync();
            await Task.WhenAll(writers);
        }

        for (int i = 0; i < crashed.Count; i++)
        {
            await ExamineAsync(crashed[i].After, databaseId, crashed[i].Known, crashed[i].Begun, $"seed {seed}, state {i}");
        }
    }

    // Each writer has a document and a few names, and knows what comes after what.
    private static async Task WriteAsync(
        DocumentDatabase database, int writer, int seed, ConcurrentDictionary<string, (int Version, byte[]? Bytes)> acknowledged,
        ConcurrentDictionary<string, (int Version, byte[]? Bytes)> begun, CancellationToken stop)
    {
        var random = new Random((seed * 100) + writer);
        for (int version = 1; !stop.IsCancellationRequested; version++)
        {
            string name = $"n{random.Next(3)}";
            string place = $"docs/{writer}|{name}";
            byte[]? bytes = random.Next(4) == 0 ? null : new byte[random.Next(30) switch
            {
                0 => AttachmentLimits.ChunkBytes + random.Next(100),
                < 4 => 0,
                _ => random.Next(20_000),
            }];
            new Random(random.Next(5)).NextBytes(bytes ?? []);
            begun[place] = (version, bytes);
            WriteOutcome outcome = bytes is null
                ? await AttachmentBed.WriteAsync(database, AttachmentBed.About<DeleteAttachmentCommand>($"docs/{writer}", name))
                : random.Next(2) == 0 || bytes.Length > AttachmentLimits.ChunkBytes
                ? await AttachmentBed.UploadAsync(database, $"docs/{writer}", name, bytes)
                : await AttachmentBed.WriteAsync(database, AttachmentBed.Put($"docs/{writer}", name, bytes));
            Assert.Equal(WriteStatus.Applied, outcome.Status);
            acknowledged[place] = (version, bytes);
            if (random.Next(8) == 0)
            {
                await database.CollectAsync(CancellationToken.None);
            }
        }
    }

    private static async Task ExamineAsync(
        SimulatedPlatform platform, string databaseId, Dictionary<string, (int Version, byte[]? Bytes)> known,
        Dictionary<string, (int Version, byte[]? Bytes)> begun, string what)
    {
        await using DocumentDatabase database = AttachmentBed.Open(platform, databaseId);
        AttachmentBed.Check(database, what, looseExpected: null);
        foreach ((string place, (int version, byte[]? bytes)) in begun)
        {
            string[] parts = place.Split('|');
            byte[]? found = AttachmentBed.Read(database, parts[0], parts[1]);
            (int knownVersion, byte[]? knownBytes) = known.GetValueOrDefault(place);
            bool isKnown = Same(found, knownBytes);
            bool isLater = version > knownVersion && Same(found, bytes);
            // More than one write may have been acknowledged after the known ones were noted, and before the cut.
            Assert.True(isKnown || isLater || version > knownVersion + 1, $"{what}: {place} is neither version {knownVersion} nor {version}");
        }

        await AttachmentBed.CollectAsync(database);
        AttachmentBed.Check(database, what + ", collected");

        static bool Same(byte[]? left, byte[]? right) => left is null ? right is null : right is not null && left.AsSpan().SequenceEqual(right);
    }
}
