using System.Runtime.CompilerServices;

namespace Jackdaw.Storage.Journal;

/// <summary>Where pages and runs stand in memory, by page number. One thread; several may read while nobody changes it.</summary>
/// <remarks>Neighbouring numbers share an array: a look-up among millions of pages then waits for memory once, a hash table of all
/// of them several times.</remarks>
internal sealed class PageAddresses
{
    /// <summary>Numbers from here on are refused: 64 TB of data file.</summary>
    public const long NumberLimit = 1L << 33;

    /// <summary>Numbers to an array of 4 KB: where pages are far apart it takes half of what a page does.</summary>
    private const int GroupPages = 256;

    private (nint Address, int Pages)[]?[] _groups = new (nint, int)[1024][];

    /// <summary>Pages and runs.</summary>
    public int Count { get; private set; }

    /// <summary>All of them, group by group.</summary>
    public IEnumerable<(long First, (nint Address, int Pages)[] Places)> Groups
    {
        get
        {
            for (int i = 0; i < _groups.Length; i++)
            {
                if (_groups[i] is { } group)
                {
                    yield return ((long)i * GroupPages, group);
                }
            }
        }
    }

    /// <summary>The memory of a page; zero when it has none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public nint Find(long number) => FindGroup(number) is { } group ? group[number % GroupPages].Address : 0;

    /// <summary>Adds a page or run that has no memory yet.</summary>
    public void Add(long number, nint address, int pages)
    {
        long index = number / GroupPages;
        if (index >= _groups.Length)
        {
            Array.Resize(ref _groups, (int)Math.Max(index + 1, _groups.Length * 2L));
        }

        (_groups[index] ??= new (nint, int)[GroupPages])[number % GroupPages] = (address, pages);
        Count++;
    }

    /// <summary>Takes a page or run out; false when it has no memory.</summary>
    public bool Remove(long number, out nint address, out int pages)
    {
        address = 0;
        pages = 0;
        if (FindGroup(number) is not { } group || group[number % GroupPages].Address == 0)
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
        Array.Clear(_groups);
        Count = 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private (nint Address, int Pages)[]? FindGroup(long number) =>
        (ulong)number / GroupPages < (ulong)_groups.Length ? _groups[number / GroupPages] : null;
}
