using System.Text;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Segments.Collecting;
using Jackdaw.Search.Segments.Merging;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Tests.Merging;
using Jackdaw.Search.Segments.Verification;
using Jackdaw.Search.Segments.Writing;
using Jackdaw.Search.Tests;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Xunit.Abstractions;

namespace Jackdaw.Search.Segments.Tests.Proofs;

/// <summary>Each kind of part, damaged in such a way that its pages have the right checksums: what is asked gives the right answer or says that the index is
/// damaged, or `verify` says so; no byte outside of a part is read, and everything ends.</summary>
public sealed class PartDamageTests(ITestOutputHelper output)
{
    private const int EndsWithinMs = 120_000;

    // All fields; all fields with many small runs and symbols for terms; more entries than a chunk of a column has.
    private static readonly Dictionary<string, Form> s_forms = new()
    {
        ["wide"] = new Form(new SliceSizes(), IsWide: true),
        ["small"] = new Form(SmallSizes.Make(isDirect: true) with { BatchMergeEntriesMax = 2048 }, IsWide: true),
        ["long"] = new Form(new SliceSizes(), IsWide: false),
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
        foreach (Form form in s_forms.Values)
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

    private void Run(int seed, int rounds, Form form, int each = 1)
    {
        using var index = new DamagedIndex(form);
        var random = new Random(seed);
        int right = 0, refused = 0, verified = 0;
        foreach (string kind in index.Kinds.Where((_, i) => i % each == 0))
        {
            for (int i = 0; i < rounds; i++)
            {
                Outcome outcome = RunOne(index, kind, random, $"seed {seed}");
                right += outcome == Outcome.Right ? 1 : 0;
                refused += outcome == Outcome.Refused ? 1 : 0;
                verified += outcome == Outcome.Other ? 1 : 0;
            }
        }

        output.WriteLine($"seed {seed}: {right} right, {refused} refused, {verified} with another answer that verification finds");
        Assert.True(refused > index.Kinds.Count / 8 / each, $"{refused} refused");
    }

    // A thread of its own, because an endless loop must not be endless.
    private static Outcome RunOne(DamagedIndex index, string kind, Random random, string seed)
    {
        Outcome outcome = Outcome.Right;
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

    private sealed record Form(SliceSizes Sizes, bool IsWide);

    private enum Outcome
    {
        Right,
        Refused,
        Other,
    }

    // An index that is damaged and restored again and again.
    private sealed class DamagedIndex : IDisposable
    {
        private readonly StorageEnvironment _storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
        private readonly Dictionary<string, DamagePlace[]> _places;
        private readonly (string Name, Func<Searcher, string> Ask)[] _questions;
        private readonly string[] _answers;
        private readonly Form _form;
        private DamagePlace? _damaged;
        private byte[] _whole = [];
        private int _restored;

        public DamagedIndex(Form form)
        {
            _form = form;
            using (SearchIndex index = Open())
            {
                Build(index);
            }

            _places = DamagePlaces.Find(_storage);
            _questions = [.. RichQuestions.All.Where((_, i) => form.IsWide || i % 4 == 0)];
            using SearchIndex whole = Open();
            using Searcher searcher = whole.BeginSearch();
            _answers = [.. _questions.Select(question => question.Ask(searcher))];
            Assert.Empty(SegmentEngine.Instance.Verify(_storage));
        }

        /// <summary>Whether it is never closed.</summary>
        public bool IsLost { get; set; }

        public IReadOnlyCollection<string> Kinds => _places.Keys;

        public string Damage(string kind, Random random)
        {
            _damaged = Any(_places[kind], random);
            DamagePlace other = Any(Any([.. _places.Values], random), random);
            byte[] others;
            using (ReadTransaction read = _storage.BeginRead())
            {
                _whole = DamagePlaces.Read(read, _damaged);
                others = DamagePlaces.Read(read, other).AsSpan(other.Offset, other.Bytes).ToArray();
            }

            byte[] bytes = [.. _whole];
            string done = kind == DamagePlaces.RunHeader ? Mutation.ApplyToHeader(bytes, random)
                : Mutation.Apply(bytes.AsSpan(_damaged.Offset, _damaged.Bytes), random, others);
            Write(bytes);
            return $"{kind}: {done}";
        }

        public void Restore()
        {
            Write(_whole);
            if (++_restored % 100 == 0)
            {
                _storage.Flush();
            }
        }

        public Outcome Look()
        {
            Outcome outcome;
            using (new GuardedParts())
            {
                outcome = AskAll();
                bool isFound = SegmentEngine.Instance.Verify(_storage).Count > 0;
                Assert.True(isFound || outcome == Outcome.Right, $"verification finds nothing where answers are {outcome}");
            }

            using (var guarded = new GuardedParts())
            {
                Change(guarded);
            }

            return outcome;
        }

        public void Dispose()
        {
            if (!IsLost)
            {
                _storage.Dispose();
            }
        }

        private SegmentSearchIndex Open() => new(_storage, RichEntries.Fields, _form.Sizes);

        private static T Any<T>(T[] all, Random random) => all[random.Next(all.Length)];

        private void Write(byte[] bytes)
        {
            using WriteTransaction write = _storage.BeginWrite();
            DamagePlaces.Write(write, _damaged!, bytes);
            write.Commit();
        }

        private void Build(SearchIndex index)
        {
            if (_form.IsWide)
            {
                RichEntries.Write(index, 0, 700);
                RichEntries.Write(index, 700, 90);
                RichEntries.Write(index, 790, 9);
            }
            else
            {
                RichEntries.Write(index, 0, 70_000, isWide: false);
                RichEntries.Write(index, 70_000, 600);
            }

            using IndexBatch batch = index.BeginBatch();
            for (int i = 0; i < 750; i += 31)
            {
                batch.Delete(RichEntries.IdOf(i));
            }

            batch.Commit();
        }

        private Outcome AskAll()
        {
            try
            {
                using SearchIndex index = Open();
                bool isRefused = false, isOther = false;
                for (int i = 0; i < _questions.Length; i++)
                {
                    using Searcher searcher = index.BeginSearch();
                    try
                    {
                        isOther |= _questions[i].Ask(searcher) != _answers[i];
                    }
                    catch (CorruptionException)
                    {
                        isRefused = true;
                    }
                    catch (Exception failure) when (failure is not Xunit.Sdk.XunitException)
                    {
                        throw new InvalidOperationException($"'{_questions[i].Name}' fails with something else than damage.", failure);
                    }
                }

                return isOther ? Outcome.Other : isRefused ? Outcome.Refused : Outcome.Right;
            }
            catch (CorruptionException)
            {
                return Outcome.Refused;
            }
        }

        // A batch that deletes and adds, and a merge of all segments; neither is committed.
        private void Change(GuardedParts guarded)
        {
            try
            {
                using SegmentSearchIndex index = Open();
                using (IndexBatch batch = index.BeginBatch())
                {
                    foreach (int i in new[] { 5, 57, 350, 720, 793 })
                    {
                        batch.Delete(RichEntries.IdOf(i));
                    }

                    var entry = new IndexEntry();
                    entry.Reset("new");
                    entry.AddText(RichEntries.Few, "new");
                    batch.Add(entry);
                    batch.Delete(Encoding.UTF8.GetBytes("new")); // writes what was collected
                }

                guarded.Forget();
                using WriteTransaction write = _storage.BeginWrite();
                using var writer = new SegmentWriter(_form.Sizes.Runs);
                using var tools = new SegmentTools();
                using var merge = new SegmentMerge(write, index.State, 0, index.State.Segments.Count, 1000, isDirect: false, writer, tools);
                while (merge.Step())
                {
                }

                merge.Finish();
            }
            catch (CorruptionException)
            {
                // found
            }
        }
    }
}
