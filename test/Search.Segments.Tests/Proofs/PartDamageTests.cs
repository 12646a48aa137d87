using Jackdaw.Search.Segments.Merging;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Tests.Merging;
using Xunit.Abstractions;

namespace Jackdaw.Search.Segments.Tests.Proofs;

/// <summary>Each kind of part, damaged in such a way that its pages have the right checksums: what is asked gives the right answer or says that the index is
/// damaged, or `verify` says so; no byte outside of a part is read, and everything ends.</summary>
public sealed class PartDamageTests(ITestOutputHelper output)
{
    private const int EndsWithinMs = 120_000;

    // All fields; all fields with many small runs and symbols for terms; more entries than a chunk of a column has.
    private static readonly Dictionary<string, DamagedForm> s_forms = new()
    {
        ["wide"] = new DamagedForm(new SliceSizes(), IsWide: true),
        ["small"] = new DamagedForm(SmallSizes.Make(isDirect: true) with { BatchMergeEntriesMax = 2048 }, IsWide: true),
        ["long"] = new DamagedForm(new SliceSizes(), IsWide: false),
    };

    [Theory]
    [InlineData(1, "wide")]
    [InlineData(2, "small")]
    [InlineData(3, "long")]
    public void Parts_Damaged_GiveTheRightAnswerOrAreFound(int seed, string form) => Run(seed, 1, s_forms[form], each: form == "long" ? 3 : 1);

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData(11, "wide", 60)]
    [InlineData(12, "wide", 60)]
    [InlineData(13, "small", 60)]
    [InlineData(14, "small", 60)]
    [InlineData(15, "long", 25)]
    public void Parts_DamagedAgainAndAgain_GiveTheRightAnswerOrAreFound(int seed, string form, int rounds) => Run(seed, rounds, s_forms[form]);

    [Fact]
    public void Parts_OfTheIndexes_AreOfEachKind()
    {
        HashSet<string> kinds = [];
        foreach (DamagedForm form in s_forms.Values)
        {
            using var index = new DamagedIndex(form);
            kinds.UnionWith(index.Kinds);
        }

        IEnumerable<string> wanted =
        [
            "list of segments", "field table", "directory", "list of runs", "deleted entries", DamagePlaces.RunHeader, "Longs.Samples", "Doubles.Values",
            .. Enum.GetValues<PartKind>().Select(kind => (int)kind < (int)PartKind.Stored ? kind.ToString() : kind + "."),
        ];
        string[] missing = [.. wanted.Where(kind => !kinds.Any(known => known.StartsWith(kind, StringComparison.Ordinal)))];
        Assert.True(missing.Length == 0, $"no {string.Join(", ", missing)} in {string.Join(", ", kinds)}");
    }

    /// <summary>SEARCH_DAMAGE_KIND: only this kind of part, again and again.</summary>
    [Fact]
    [Trait("Tier", "Full")]
    public void Parts_OfOneKind_GiveTheRightAnswerOrAreFound()
    {
        string kind = Environment.GetEnvironmentVariable("SEARCH_DAMAGE_KIND") ?? "Shapes.Bytes";
        using var index = new DamagedIndex(s_forms["wide"]);
        var random = new Random(21);
        for (int i = 0; i < 300; i++)
        {
            RunOne(index, kind, random, $"seed 21, {i}");
        }
    }

    private void Run(int seed, int rounds, DamagedForm form, int each = 1)
    {
        using var index = new DamagedIndex(form);
        var random = new Random(seed);
        int right = 0, refused = 0, verified = 0;
        foreach (string kind in index.Kinds.Where((_, i) => i % each == 0))
        {
            for (int i = 0; i < rounds; i++)
            {
                DamageOutcome outcome = RunOne(index, kind, random, $"seed {seed}");
                right += outcome == DamageOutcome.Right ? 1 : 0;
                refused += outcome == DamageOutcome.Refused ? 1 : 0;
                verified += outcome == DamageOutcome.Other ? 1 : 0;
            }
        }

        output.WriteLine($"seed {seed}: {right} right, {refused} refused, {verified} with another answer that verification finds");
        Assert.True(refused > index.Kinds.Count / 8 / each, $"{refused} refused");
    }

    // A thread of its own, because an endless loop must not be endless.
    private static DamageOutcome RunOne(DamagedIndex index, string kind, Random random, string seed)
    {
        DamageOutcome outcome = DamageOutcome.Right;
        Exception? failure = null;
        string done = index.Damage(kind, random);
        var thread = new Thread(() =>
        {
            try
            {
                outcome = index.Look();
            }
            catch (Exception exception)
            {
                failure = exception;
            }
        });
        thread.Start();
        index.IsLost = true; // a thread that is still in it, or a transaction that a failure left, must not hide what failed
        Assert.True(thread.Join(EndsWithinMs), $"{seed}, {done}: does not end");
        Assert.True(failure is null, $"{seed}, {done}: {failure}");
        index.IsLost = false;
        index.Restore();
        return outcome;
    }
}
