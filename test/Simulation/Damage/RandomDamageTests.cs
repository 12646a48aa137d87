using System.Diagnostics;
using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Paging;
using Jackdaw.TestKit;

namespace Jackdaw.Simulation.Damage;

/// <summary>Single flipped bits anywhere in the files of a stopped storage: never a wrong answer, never silence about a live byte
/// except for the last entry of a killed storage without a footer.</summary>
public sealed class RandomDamageTests(ITestOutputHelper output)
{
    private const int FlipsQuick = 300;
    private const int FlipsFull = 10_000;

    /// <summary>Flips done to one image before a new one is made.</summary>
    private const int FlipsPerImage = 500;

    private HashSet<long> _freePages = [];

    [Fact]
    public void Bit_FlippedAnywhere_NeverGivesAWrongAnswer() => Run(FlipsQuick, 5);

    [Fact]
    [Trait("Tier", "Full")]
    public void Bit_FlippedAnywhereManyTimes_NeverGivesAWrongAnswer() => Run(FlipsFull, 6);

    private void Run(int flips, int seed)
    {
        long started = Stopwatch.GetTimestamp();
        SortedDictionary<string, int> counts = [];
        var random = new Random(seed);
        for (int done = 0; done < flips;)
        {
            ImageKind kind = (ImageKind)(done / 100 % 3);
            StorageImage image = StorageImage.Create(kind, seed + done);
            _freePages = image.FindFreePages();
            for (int i = 0; i < Math.Min(FlipsPerImage, flips / 3); i++, done++)
            {
                string result = Flip(image, kind, random);
                counts[result] = counts.GetValueOrDefault(result) + 1;
            }
        }

        output.WriteLine($"seed {seed}, {Stopwatch.GetElapsedTime(started).TotalSeconds:0.0} s: " +
            string.Join(", ", counts.Select(pair => $"{pair.Value} {pair.Key}")));
    }

    private string Flip(StorageImage image, ImageKind kind, Random random)
    {
        List<string> paths = [.. image.Journals, SmallStorage.HeaderPath, SmallStorage.DataPath, SmallStorage.DataPath];
        string path = paths[random.Next(paths.Count)];
        long bytes = path == SmallStorage.DataPath ? image.UsedDataBytes : image.Platform.ReadAll(path).Length;
        long bit = random.NextInt64(bytes * 8);
        SimulatedPlatform copy = image.Copy();
        copy.FlipBit(path, bit);
        Examination found;
        try
        {
            found = Examination.Run(copy, image.Allowed);
            Require(image, kind, path, bit / 8, found);
        }
        catch (Exception e)
        {
            throw new SimulationViolationException($"{kind}, bit {bit} of {path}: {e.GetType().Name}: {e.Message}", e);
        }

        string place = path.StartsWith(SmallStorage.JournalFolder, StringComparison.Ordinal) ? "journal" : path[(SmallStorage.Path.Length + 1)..];
        return $"{place} {found.Verdict}";
    }

    private void Require(StorageImage image, ImageKind kind, string path, long at, Examination found)
    {
        if (path == SmallStorage.DataPath)
        {
            // Told with the page or the run that it is in; else healed by replay, which a closed storage has none of, or free.
            bool isNear = found.Pages.Any(told => at / Page.Size >= told && at / Page.Size < told + RunPagesMax);
            bool isHeader = at < Page.Size && found.Verdict == Verdict.Refused;
            bool mayHide = kind != ImageKind.Closed || at < Page.Size || _freePages.Contains(at / Page.Size);
            Require((found.Verdict == Verdict.Whole && mayHide) || isNear || isHeader, found);
            return;
        }

        JournalEntryPlace? hit = image.Entries.Find(entry => entry.Path == path && at >= entry.Offset && at < entry.Offset + entry.Bytes);
        bool isLast = hit is { IsFooter: false } && hit.Transaction == image.Last && kind == ImageKind.Killed;
        bool isNeeded = path != SmallStorage.HeaderPath && kind != ImageKind.Closed
            && (at < JournalFileHeader.SizeOf || hit is { IsFooter: false });
        bool isRight = found.Verdict switch
        {
            Verdict.Whole => true, // checked against the oracle: the flip was in padding, free space, or was healed
            Verdict.Shorter => isLast && found.Transaction == image.Last - 1,
            Verdict.Refused => isNeeded,
            _ => false,
        };
        Require(isRight, found);
    }

    /// <summary>Pages of the largest run that the workload makes.</summary>
    private const int RunPagesMax = 6;

    private static void Require(bool isRight, Examination found)
    {
        if (!isRight)
        {
            throw new SimulationViolationException($"not promised: {found}");
        }
    }
}
