using System.Collections.Concurrent;
using System.Text;
using System.Text.Json;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Documents.Tests.Revisions;

/// <summary>Power cuts while documents and their revisions are written: a version and its revision are there together or not at all.</summary>
public sealed class RevisionCrashTests
{
    private const int Writers = 8;
    private const int Writes = 30;
    private const int Kept = 3;

    [Theory]
    [InlineData(31)]
    [InlineData(32)]
    [InlineData(33)]
    [InlineData(34)]
    public Task PowerCut_AnyMoment_KeepsVersionsAndRevisionsTogether(int seed) => RunAsync(seed);

    [Theory]
    [Trait("Tier", "Full")]
    [MemberData(nameof(ManySeeds))]
    public Task ManyPowerCuts_KeepVersionsAndRevisionsTogether(int seed) => RunAsync(seed);

    public static TheoryData<int> ManySeeds => [.. Enumerable.Range(1000, 300)];

    private static async Task RunAsync(int seed)
    {
        var platform = new SimulatedPlatform(seed);
        var random = new Random(seed);
        int cutAt = random.Next(Writers * Writes);
        int writes = 0;
        var acknowledged = new ConcurrentDictionary<string, long>();
        Dictionary<string, long> known = [];
        SimulatedPlatform? after = null;
        await using (DocumentDatabase database = Open(platform))
        {
            await Task.WhenAll(Enumerable.Range(0, Writers).Select(writer => Task.Run(async () =>
            {
                for (int i = 0; i < Writes; i++)
                {
                    string key = $"w{writer}/{i % 4}";
                    acknowledged[key] = await WriteAsync(database, key, i);
                    if (Interlocked.Increment(ref writes) == cutAt + 1)
                    {
                        known = new Dictionary<string, long>(acknowledged);
                        after = platform.Crash(seed);
                    }
                }
            })));
        }

        await using DocumentDatabase reopened = Open(after!);
        Assert.Empty(EnvironmentVerifier.Verify(reopened.Environment, DatabaseSchemas.Standard));
        using DocumentReadScope read = reopened.BeginRead();
        Check(read, reopened.Replica, known, $"seed {seed}, cut after {cutAt}");
    }

    // Every fifth write of a writer deletes, some are batches of two.
    private static async Task<long> WriteAsync(DocumentDatabase database, string key, int i)
    {
        PutCommand put = TestCommands.Put(key, TestCommands.Json("Users", i));
        DeleteCommand delete = TestCommands.Delete(key);
        DocumentCommand[] commands = i % 5 == 4 ? [put, delete] : i % 7 == 3 ? [TestCommands.Put(key, TestCommands.Json("Users", -i)), put] : [put];
        WriteOutcome outcome = await database.WriteAsync(new WriteBatch { Commands = commands }, default);
        Assert.Equal(WriteStatus.Applied, outcome.Status);
        return i % 5 == 4 ? delete.Etag.Value : put.Etag.Value;
    }

    private static void Check(DocumentReadScope read, Replica replica, Dictionary<string, long> known, string script)
    {
        var reader = new RevisionReader(read.Transaction, replica);
        long total = 0;
        List<long> deletions = [];
        foreach (byte[] key in reader.Trees.ListDocuments(default, int.MaxValue))
        {
            string id = Encoding.UTF8.GetString(key);
            List<(Etag Etag, bool IsDelete)> revisions = Read(reader, key);
            Assert.True(revisions.Count is > 0 and <= Kept, $"{script}: {id} has {revisions.Count}");
            Assert.Equal(revisions.Count, reader.Trees.Count(key));
            total += revisions.Count;
            bool exists = read.TryGet(key, out StoredDocument document);
            Assert.True(exists != revisions[0].IsDelete, $"{script}: {id}");
            if (exists)
            {
                Assert.True((revisions[0].Etag, DocumentFlags.HasRevisions) == (document.Etag, document.Flags), $"{script}: {id}");
            }
            else
            {
                deletions.Add(revisions[0].Etag.Value);
            }

            Assert.True(revisions[0].Etag.Value >= known.GetValueOrDefault(id), $"{script}: {id} lost what was acknowledged");
        }

        Assert.Equal((total, deletions.Order().Reverse()), (read.Counts.Revisions, reader.Trees.ListBin(Etag.Maximum).Select(etag => etag.Value)),
            (x, y) => x.Item1 == y.Item1 && x.Item2.SequenceEqual(y.Item2));
        Assert.All(known.Keys, id => Assert.True(reader.Trees.Count(TestCommands.Key(id)) > 0, $"{script}: {id} is lost"));
    }

    private static List<(Etag Etag, bool IsDelete)> Read(RevisionReader reader, byte[] key)
    {
        List<(Etag, bool)> found = [];
        using RevisionCursor cursor = reader.Open(key, Etag.Maximum);
        while (cursor.MoveNext())
        {
            found.Add((cursor.CurrentEtag, cursor.Current.IsDelete));
        }

        return found;
    }

    private static DocumentDatabase Open(IPlatform platform)
    {
        using JsonDocument json = JsonDocument.Parse($$$"""{"Default":{"MinimumRevisionsToKeep":{{{Kept}}}}}""");
        Assert.True(RevisionsConfiguration.TryRead(json.RootElement, out RevisionsConfiguration? configuration, out _));
        return DocumentDatabase.Open(
            platform, "/db", "db", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings { Revisions = configuration }, new StorageOptions());
    }
}
