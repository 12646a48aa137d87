using System.Runtime.InteropServices;

namespace Jackdaw.Storage.Journal;

/// <summary>Where pages and runs stand in memory, by page number. One thread; several may read while nobody changes it.</summary>
/// <remarks>Neighbouring numbers share an array: a look-up among millions of pages then waits for memory once, a hash table of all
/// of them several times.</remarks>
internal sealed class PageAddresses
{
    /// <summary>Numbers to an array of 4 KB: where pages are far apart it takes half of what a page does.</summary>
    private const int GroupPages = 256;

    private readonly Dictionary<long, (nint Address, int Pages)[]> _groups = [];

    /// <summary>Pages and runs.</summary>
    public int Count { get; private set; }

    /// <summary>All of them, group by group.</summary>
    public IEnumerable<(long First, (nint Address, int Pages)[] Places)> Groups =>
        _groups.Select(group => (group.Key * GroupPages, group.Value));

    /// <summary>The memory of a page; zero when it has none.</summary>
    public nint Find(long number) =>
        _groups.TryGetValue(number / GroupPages, out (nint Address, int Pages)[]? group) ? group[number % GroupPages].Address : 0;

    /// <summary>Adds a page or run that has no memory yet.</summary>
    public void Add(long number, nint address, int pages)
    {
        ref (nint, int)[]? group = ref CollectionsMarshal.GetValueRefOrAddDefault(_groups, number / GroupPages, out _);
        group ??= new (nint, int)[GroupPages];
        group[number % GroupPages] = (address, pages);
        Count++;
    }

    /// <summary>Takes a page or run out; false when it has no memory.</summary>
    public bool Remove(long number, out nint address, out int pages)
    {
        address = 0;
        pages = 0;
        if (!_groups.TryGetValue(number / GroupPages, out (nint Address, int Pages)[]? group) || group[number % GroupPages].Address == 0)
        {
            return false;
        }

        (address, pages) = group[number % GroupPages];
        group[number % GroupPages] = default;
        Count--;
        return true;
    }

    /// <summary>Forgets all.</summary>
    public void Clear()
    {
        _groups.Clear();
        Count = 0;
    }
}
