using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Segments.Tests.Merging;
using Jackdaw.Search.Tests;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Verification;
using Xunit.Abstractions;

namespace Jackdaw.Search.Segments.Tests.Proofs;

/// <summary>Flipped bits in the data file, in each kind of part: an answer is right or says that the index is damaged, never another one, and verification
/// finds each of them.</summary>
public sealed class PageDamageTests(ITestOutputHelper output)
{
    private const string Folder = "/db";
    private const string DataFile = Folder + "/data";

    private static readonly StorageOptions s_options = new() { BackgroundFlush = false };

    private readonly MemoryPlatform _platform = new();

    [Fact]
    public void Bits_FlippedInEachKindOfPart_AreFound() => Run(seed: 5, rounds: 1);

    [Fact]
    [Trait("Tier", "Full")]
    public void Bits_FlippedAgainAndAgainInEachKindOfPart_AreFound() => Run(seed: 6, rounds: 40);

    private void Run(int seed, int rounds)
    {
        Dictionary<string, DamagePlace[]> places = Build();
        string[] expected = Ask(out _);
        var random = new Random(seed);
        int refused = 0, right = 0;
        foreach ((string kind, DamagePlace[] all) in places.Where(places => places.Value.Any(place => !place.Page.IsNone)))
        {
            DamagePlace[] runs = [.. all.Where(place => !place.Page.IsNone)];
            for (int i = 0; i < rounds; i++)
            {
                DamagePlace place = runs[random.Next(runs.Length)];
                long offset = place.Page.Offset + PageHeader.SizeOf + place.Offset + random.Next(place.Bytes);
                byte bit = (byte)(1 << random.Next(8));
                Flip(offset, bit);
                string at = $"seed {seed}, {kind}: a bit at {offset}";
                string[] found = Ask(out int damaged);
                Assert.True(found.Zip(expected).All(pair => pair.First == pair.Second || pair.First == ""), $"{at}: another answer");
                refused += damaged;
                right += damaged == 0 ? 1 : 0;
                Assert.True(Verify() > 0, $"{at}: verification finds nothing");
                Flip(offset, bit);
            }
        }

        Assert.Equal(expected, Ask(out _));
        output.WriteLine($"seed {seed}: {places.Count} kinds, {refused} answers refused, {right} flipped bits that no question needs");
        Assert.True(refused > places.Count, $"{refused} refused");
    }

    private Dictionary<string, DamagePlace[]> Build()
    {
        using StorageEnvironment storage = StorageEnvironment.Open(_platform, Folder, s_options);
        using (var index = new SegmentSearchIndex(storage, RichEntries.Fields, SmallSizes.Make(isDirect: false) with { BatchMergeEntriesMax = 2048 }))
        {
            RichEntries.Write(index, 0, 700);
            RichEntries.Write(index, 700, 90);
            using IndexBatch batch = index.BeginBatch();
            for (int i = 0; i < 750; i += 31)
            {
                batch.Delete(RichEntries.IdOf(i));
            }

            batch.Commit();
        }

        storage.Flush();
        storage.Sync();
        return DamagePlaces.Find(storage);
    }

    // An empty text for an answer that says that the index is damaged.
    private string[] Ask(out int damaged)
    {
        string[] answers = new string[RichQuestions.All.Count];
        Array.Fill(answers, "");
        damaged = answers.Length;
        try
        {
            using StorageEnvironment storage = StorageEnvironment.Open(_platform, Folder, s_options);
            using SearchIndex index = SegmentEngine.Instance.Open(storage, RichEntries.Fields);
            for (int i = 0; i < answers.Length; i++)
            {
                using Searcher searcher = index.BeginSearch();
                try
                {
                    answers[i] = RichQuestions.All[i].Ask(searcher);
                    damaged--;
                }
                catch (CorruptionException)
                {
                    // this page is needed
                }
            }
        }
        catch (CorruptionException)
        {
            // nothing can be asked
        }

        return answers;
    }

    private int Verify()
    {
        try
        {
            using StorageEnvironment storage = StorageEnvironment.Open(_platform, Folder, s_options);
            return EnvironmentVerifier.Verify(storage).Count + SegmentEngine.Instance.Verify(storage).Count;
        }
        catch (CorruptionException)
        {
            return 1;
        }
    }

    private unsafe void Flip(long offset, byte bit)
    {
        using PalFile file = _platform.OpenFile(DataFile, FileOpening.Existing, FileUse.Data);
        byte[] page = GC.AllocateArray<byte>(Page.Size, pinned: true);
        long start = offset / Page.Size * Page.Size;
        fixed (byte* bytes = page)
        {
            file.Read(start, bytes, Page.Size);
            bytes[offset - start] ^= bit;
            file.WritePages([new PalPageWrite { Base = bytes, Offset = start, Length = Page.Size }]);
        }
    }
}
