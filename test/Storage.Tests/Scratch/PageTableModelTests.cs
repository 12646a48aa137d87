using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Scratch;

namespace Jackdaw.Storage.Tests.Scratch;

/// <summary>Random commits, flushes and readers over a page table, in the order the storage uses it, against dictionaries.
/// Every page's memory says which version it is, so memory that is used again too early is seen.</summary>
public sealed unsafe class PageTableModelTests : IDisposable
{
    private const int PageCount = 300;
    private const int Steps = 6000;
    private readonly ScratchPool _pool = new();
    private readonly PageTable _table;
    private readonly Dictionary<long, long> _file = [];
    private readonly List<State> _published = [];
    private int _trims;
    private readonly List<State> _readers = [];
    private Dictionary<long, long> _newest = [];
    private long _flushed;

    public PageTableModelTests()
    {
        _table = new PageTable(_pool);
        _published.Add(new State(StateSequence.FirstOf(0), 0, default, []));
    }

    public void Dispose() => _pool.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Snapshots_RandomCommitsFlushesAndReaders_SeeTheirVersions(int seed)
    {
        var random = new Random(seed);
        lock (_table.ChangeLock)
        {
            Commit(random);
            for (int step = 0; step < Steps; step++)
            {
                Step(random);
            }

            _readers.Clear();
            Flush();
            _table.Reclaim(long.MaxValue);
        }

        Assert.Equal(0, _table.Count);
        Assert.Equal(0, _pool.RentedBytes);
        Assert.True(_trims > 10, $"trimmed only {_trims} times");
    }

    private State Current => _published[^1];

    private long Oldest => _readers.Count == 0 ? long.MaxValue : _readers.Min(reader => reader.Sequence);

    private void Step(Random random)
    {
        switch (random.Next(10))
        {
            case < 4:
                Commit(random);
                break;
            case 4:
                Flush();
                break;
            case < 7 when _readers.Count < 12:
                _readers.Add(Current);
                break;
            case 7 when random.Next(20) == 0:
                TrimAndPublish(random);
                break;
            default:
                if (_readers.Count > 0)
                {
                    int index = random.Next(_readers.Count);
                    Check(_readers[index], random);
                    _readers.RemoveAt(index);
                }

                break;
        }

        Check(Current, random);
    }

    private void Commit(Random random)
    {
        long id = Current.Transaction + 1;
        long floor = Math.Min(Current.Transaction, StateSequence.TransactionOf(Oldest));
        _newest = new Dictionary<long, long>(_newest);
        foreach (long page in Enumerable.Range(0, random.Next(1, 30)).Select(_ => (long)random.Next(1, PageCount)).Distinct())
        {
            bool isFreed = random.Next(8) == 0;
            if (!isFreed)
            {
                byte* memory = _pool.Rent(1);
                ref PageHeader header = ref new Page(memory).Header;
                header.PageNumber = new PageNumber(page);
                header.LastTransactionId = id;
                _table.Add(new PageNumber(page), 1, memory, id, floor, Current.Sequence);
                _newest[page] = id;
            }
            else if (_table.HasVersion(new PageNumber(page)))
            {
                _table.Add(new PageNumber(page), 0, null, id, floor, Current.Sequence);
                _newest.Remove(page);
            }
        }

        _table.Reclaim(Oldest);
        _published.Add(new State(StateSequence.FirstOf(id), id, _table.Capture(id), _newest));
    }

    private void Flush()
    {
        long target = Math.Min(Current.Transaction, StateSequence.TransactionOf(Oldest));
        if (target <= _flushed)
        {
            return;
        }

        List<PageTable.PageVersion> versions = [];
        _table.Collect(target, versions);
        foreach (ref PageTable.PageVersion version in CollectionsMarshal.AsSpan(versions))
        {
            if (version.Pages != 0)
            {
                _file[version.Page.Value] = new Page((byte*)version.Address).Header.LastTransactionId;
            }

            _table.Remove(version.Page, target, Current.Sequence);
        }

        _flushed = target;
        _published.Add(Current with
        {
            Sequence = Current.Sequence + 1,
            Pages = _table.Capture(Current.Transaction),
        });
        _table.Reclaim(Oldest);
    }

    private void TrimAndPublish(Random random)
    {
        // A reader that stays makes the table grow; without one everything can go.
        _readers.Add(Current);
        for (int i = 0; i < 80; i++)
        {
            Commit(random);
        }

        _readers.Clear();
        Flush();
        _table.Reclaim(Oldest);
        if (_table.TryTrim())
        {
            _trims++;
            _published.Add(Current with
            {
                Sequence = Current.Sequence + 1,
                Pages = _table.Recapture(Current.Pages, Current.Transaction),
            });
        }
    }

    private void Check(State state, Random random)
    {
        for (int i = 0; i < 40; i++)
        {
            long page = random.Next(1, PageCount);
            if (!state.Versions.TryGetValue(page, out long expected))
            {
                continue;
            }

            byte* memory = state.Pages.Find(new PageNumber(page));
            long found = memory == null ? _file.GetValueOrDefault(page) : new Page(memory).Header.LastTransactionId;
            Assert.True(found == expected, $"page {page} in {state.Sequence:x}: version {found} instead of {expected}");
            Assert.True(memory == null || new Page(memory).Number.Value == page);
        }
    }

    private sealed record State(long Sequence, long Transaction, PageTable.Snapshot Pages, Dictionary<long, long> Versions);
}
