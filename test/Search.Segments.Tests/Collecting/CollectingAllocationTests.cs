using System.Text;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Search.Segments.Tests.Collecting;

public sealed class CollectingAllocationTests
{
    private const int Entries = 2000;

    private static readonly IndexField s_name = new("Name");
    private static readonly IndexField s_number = new("Number");
    private static readonly IndexField s_at = new("At");
    private static readonly IndexField s_place = new("Place");
    private static readonly IndexField s_text = new("Text") { Indexing = IndexingMode.Text };

    [Fact]
    public void Add_EntriesOfAllKindsThatReplaceOthers_AllocatesNothing()
    {
        using var storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
        using SearchIndex index = SegmentEngine.Instance.Open(storage, new IndexFields([s_name, s_number, s_at, s_place, s_text]));
        IndexEntry[] entries = [.. Enumerable.Range(0, Entries).Select(Make)];
        long allocated = 0;
        for (int batch = 0; batch < 4; batch++)
        {
            using IndexBatch open = index.BeginBatch();
            allocated = GC.GetAllocatedBytesForCurrentThread();
            foreach (IndexEntry entry in entries)
            {
                open.Delete(entry.Id);
                open.Add(entry);
            }

            allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
            open.Commit();
        }

        Assert.InRange(allocated, 0, Entries); // a list may grow
    }

    private static IndexEntry Make(int number)
    {
        var entry = new IndexEntry();
        entry.Reset(Encoding.UTF8.GetBytes("entries/" + number));
        entry.AddText(s_name, "Name " + (number % 50));
        entry.AddLong(s_number, number, number.ToString(System.Globalization.CultureInfo.InvariantCulture));
        entry.AddDate(s_at, $"2020-01-01T00:00:00.{number:D7}Z", number);
        entry.AddSpatial(s_place, $"POINT ({number % 180}.123 {number % 90}.456)");
        entry.AddText(s_text, "the quick brown fox jumps over the lazy dog " + number);
        return entry;
    }
}
