using System.Text;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Segments.Collecting;
using Jackdaw.Search.Segments.Merging;
using Jackdaw.Search.Segments.Writing;
using Jackdaw.Search.Tests;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Segments.Tests.Proofs;

/// <summary>How an index is built whose parts are damaged.</summary>
/// <param name="IsWide">Whether entries have all fields; else there are more of them.</param>
internal sealed record DamagedForm(SliceSizes Sizes, bool IsWide);

/// <summary>What became of a damage.</summary>
internal enum DamageOutcome
{
    Right,

    /// <summary>At least one answer says that the index is damaged, and no answer is another one.</summary>
    Refused,

    /// <summary>At least one answer is another one.</summary>
    Other,
}

/// <summary>An index that is damaged and restored again and again.</summary>
internal sealed class DamagedIndex : IDisposable
{
    private readonly StorageEnvironment _storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
    private readonly Dictionary<string, DamagePlace[]> _places;
    private readonly (string Name, Func<Searcher, string> Ask)[] _questions;
    private readonly string[] _answers;
    private readonly DamagedForm _form;
    private DamagePlace? _damaged;
    private byte[] _whole = [];
    private int _restored;

    public DamagedIndex(DamagedForm form)
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

    public DamageOutcome Look()
    {
        DamageOutcome outcome;
        using (new GuardedParts())
        {
            outcome = AskAll();
            bool isFound = SegmentEngine.Instance.Verify(_storage).Count > 0;
            Assert.True(isFound || outcome == DamageOutcome.Right, $"verification finds nothing where answers are {outcome}");
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

    private DamageOutcome AskAll()
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

            return isOther ? DamageOutcome.Other : isRefused ? DamageOutcome.Refused : DamageOutcome.Right;
        }
        catch (CorruptionException)
        {
            return DamageOutcome.Refused;
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
