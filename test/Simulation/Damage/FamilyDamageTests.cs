using System.Diagnostics;
using System.Globalization;
using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Paging;
using Jackdaw.TestKit;

namespace Jackdaw.Simulation.Damage;

/// <summary>Single flipped bits anywhere in the files of a killed root and its branches: never a wrong answer, never silence about a
/// needed byte but for a last entry that no footer names, and never harm to a storage whose bytes they are not.</summary>
public sealed class FamilyDamageTests(ITestOutputHelper output)
{
    private const int Branches = 20;

    /// <summary>Flips done to one image before a new one is made.</summary>
    private const int FlipsPerImage = 250;

    /// <summary>Storages opened beside the damaged one when the file is one that the others do not read.</summary>
    private const int Bystanders = 3;

    /// <summary>Pages of the largest run that the workload makes.</summary>
    private const int RunPagesMax = 6;

    private readonly SortedDictionary<string, int> _counts = [];

    [Fact]
    public void Bit_FlippedInAFamily_HarmsItsOwnerOnly() => Run(flips: 60, seed: 5);

    /// <summary>Ten thousand flips, in parts that can be run one by one.</summary>
    [Theory]
    [Trait("Tier", "Proof")]
    [Trait("Proof", "Flip")]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Bit_FlippedInAFamilyManyTimes_HarmsItsOwnerOnly(int part) => Run(flips: 2500, seed: Environment.TickCount + part);

    private void Run(int flips, int seed)
    {
        long started = Stopwatch.GetTimestamp();
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        FamilyImage? image = null;
        for (int done = 0; done < flips; done++)
        {
            if (image is null || done % FlipsPerImage == 0)
            {
                image = FamilyImage.Create(Branches, isIdle: random.Next(2) == 0, random.Next());
                RequireWhole(image);
            }

            switch (random.Next(4))
            {
                case 0:
                    FlipHeader(image, random);
                    break;
                case 1:
                    FlipData(image, random);
                    break;
                default:
                    FlipJournal(image, random);
                    break;
            }
        }

        output.WriteLine($"{flips} flips in a root with {Branches} branches, {Stopwatch.GetElapsedTime(started).TotalSeconds:0} s: " +
            string.Join(", ", _counts.Select(pair => $"{pair.Value} {pair.Key}")));
    }

    private void FlipHeader(FamilyImage image, Random random)
    {
        FamilyMember hit = Pick(image.Members, random);
        long bit = random.NextInt64(2 * HeaderFile.CopyBytes * 8);
        Flip(image, hit.HeaderPath, bit, Witnesses(image, hit, random), (member, found) =>
        {
            Require(found.Verdict == Verdict.Whole);
            Count(member == hit ? "headers healed" : "others unharmed");
        });
    }

    private void FlipData(FamilyImage image, Random random)
    {
        FamilyMember hit = Pick(image.Members, random);
        long bit = random.NextInt64(hit.DataBytes * 8);
        long page = bit / 8 / Page.Size;
        Flip(image, hit.DataPath, bit, Witnesses(image, hit, random), (member, found) =>
        {
            // Told with the page or the run that it is in; else the verifier read all live pages and found them right.
            bool isTold = found.Pages.Any(told => page >= told && page < told + RunPagesMax) || (page == 0 && found.Verdict == Verdict.Refused);
            Require(found.Verdict == Verdict.Whole || (member == hit && isTold));
            Count(member != hit ? "others unharmed" : found.Verdict == Verdict.Whole ? "pages healed or free" : "pages reported");
        });
    }

    private void FlipJournal(FamilyImage image, Random random)
    {
        SharedJournal journal = Pick(image.Journals, random);

        // Half of the flips where entries are: most of a small journal is empty.
        long end = journal.Entries.Count > 0 && random.Next(2) == 0 ? journal.Entries[^1].Offset + journal.Entries[^1].Bytes : journal.Bytes;
        long bit = random.NextInt64(end * 8);
        long at = bit / 8;
        SharedEntry? entry = journal.Entries.FirstOrDefault(entry => at >= entry.Offset && at < entry.Offset + entry.Bytes);
        Flip(image, journal.Names[0].Path, bit, [.. image.Members], (member, found) =>
        {
            if (at < JournalFileHeader.SizeOf && journal.Names.Any(name => name.Member == member))
            {
                Require(found.Verdict is Verdict.Whole or Verdict.Refused);
                Count($"file headers {Tell(found)}");
            }
            else if (entry is { IsTransaction: true } && entry.Owner == member.Id)
            {
                RequirePromised(image, member, entry, found);
                Count($"entries {Tell(found)}");
            }
            else
            {
                Require(found.Verdict == Verdict.Whole);
                Count("others unharmed");
            }
        });
    }

    /// <summary>What a damaged entry means to its owner.</summary>
    private static void RequirePromised(FamilyImage image, FamilyMember owner, SharedEntry entry, Examination found)
    {
        bool isNeeded = entry.Transaction > owner.Synced;

        // A footer speaks to those who read its file: a branch that did not write to the next one may have no name for it.
        bool isProven = entry.Transaction < owner.Last || image.Journals.Any(journal => journal.Names.Any(name => name.Member == owner) &&
            journal.Proven.Any(proof => proof.StorageId == owner.Id && proof.Transaction >= entry.Transaction));
        Verdict promised = !isNeeded ? Verdict.Whole : isProven ? Verdict.Refused : Verdict.Shorter;
        bool isRight = found.Verdict == promised && (promised != Verdict.Shorter || found.Transaction == owner.Last - 1);
        if (!isRight)
        {
            throw new SimulationViolationException($"{entry} of {owner.Path}, synced {owner.Synced}, last {owner.Last}: {found}, not {promised}");
        }
    }

    private void Flip(FamilyImage image, string path, long bit, IReadOnlyList<FamilyMember> witnesses, Action<FamilyMember, Examination> judge)
    {
        SimulatedPlatform copy = image.Copy();
        copy.FlipBit(path, bit);
        Examine(copy, image, witnesses, (member, found) =>
        {
            try
            {
                judge(member, found());
            }
            catch (Exception e)
            {
                throw new SimulationViolationException(string.Create(CultureInfo.InvariantCulture,
                    $"bit {bit} of {path}: {member.Path}: {e.GetType().Name}: {e.Message}"), e);
            }
        });
    }

    /// <summary>Opens the root and the witnesses as its branches, or alone when there is no root any more.</summary>
    private static void Examine(
        SimulatedPlatform copy, FamilyImage image, IReadOnlyList<FamilyMember> witnesses, Action<FamilyMember, Func<Examination>> judge)
    {
        FamilyMember rootMember = image.Members[0];
        StorageEnvironment? root = Examination.TryOpen(() => StorageEnvironment.Open(copy, rootMember.Path, SmallStorage.Options), out Examination refusal);
        try
        {
            judge(rootMember, () => root is null ? refusal : Examination.Read(root, rootMember.Allowed));
            foreach (FamilyMember member in witnesses.Where(member => member != rootMember))
            {
                judge(member, () => ExamineBranch(copy, member, root));
            }
        }
        finally
        {
            root?.Abandon();
        }
    }

    private static Examination ExamineBranch(SimulatedPlatform copy, FamilyMember member, StorageEnvironment? root)
    {
        StorageEnvironment? storage = Examination.TryOpen(() => root is null
            ? StorageEnvironment.Open(copy, member.Path, SmallStorage.Options)
            : StorageEnvironment.OpenBranch(root, member.Path, SmallStorage.Options), out Examination found);
        if (storage is null)
        {
            return found;
        }

        try
        {
            return Examination.Read(storage, member.Allowed);
        }
        finally
        {
            storage.Abandon();
        }
    }

    /// <summary>The image as it is: what the bystanders of a later flip read.</summary>
    private static void RequireWhole(FamilyImage image) => Examine(image.Copy(), image, image.Members, (member, found) =>
    {
        if (found() is { Verdict: not Verdict.Whole } wrong)
        {
            throw new SimulationViolationException($"{member.Path} before any damage: {wrong}");
        }
    });

    private static List<FamilyMember> Witnesses(FamilyImage image, FamilyMember hit, Random random) =>
        [.. Enumerable.Range(0, Bystanders).Select(_ => Pick(image.Members, random)).Append(hit).Distinct()];

    private static T Pick<T>(IReadOnlyList<T> from, Random random) => from[random.Next(from.Count)];

    private static string Tell(Examination found) => found.Verdict switch
    {
        Verdict.Refused => "reported",
        Verdict.Shorter => "lost in silence: the last, before a footer",
        _ => "not needed",
    };

    private void Count(string result) => _counts[result] = _counts.GetValueOrDefault(result) + 1;

    private static void Require(bool isRight, [System.Runtime.CompilerServices.CallerArgumentExpression(nameof(isRight))] string claim = "")
    {
        if (!isRight)
        {
            throw new SimulationViolationException($"not promised: {claim}");
        }
    }
}
