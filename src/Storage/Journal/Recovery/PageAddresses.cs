using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Jackdaw.Storage.Journal.Recovery;

/// <summary>Addresses of pages and runs in memory, by page number. One thread; several may read while none changes
/// it.</summary>
/// <remarks>Neighbouring numbers share an array: a look-up among millions of pages then waits for memory once. In a
/// hash table of all pages it would wait several times.</remarks>
internal sealed class PageAddresses
{
    /// <summary>Numbers per array. An array takes 4 KB, half a page, also when only one of its numbers is
    /// used.</summary>
    private const int GroupPages = 256;

    private (nint Address, int Pages)[]?[] _groups = new (nint, int)[1024][];

    /// <summary>All pages and runs, in order.</summary>
    public IEnumerable<(long Number, nint Address, int Pages)> All
    {
        get
        {
            for (long number = 0; number < (long)_groups.Length * GroupPages; number++)
            {
                if (FindGroup(number) is not { } group)
                {
                    number += GroupPages - 1;
                }
                else if (group[number % GroupPages] is { Address: not 0 } place)
                {
                    yield return (number, place.Address, place.Pages);
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
        Debug.Assert(address != 0 && pages > 0);
        Debug.Assert(Find(number) == 0, "the page has memory already");
        long index = number / GroupPages;
        if (index >= _groups.Length)
        {
            Array.Resize(ref _groups, (int)Math.Max(index + 1, _groups.Length * 2L));
        }

        (_groups[index] ??= new (nint, int)[GroupPages])[number % GroupPages] = (address, pages);
    }

    /// <summary>Removes a page or run; false when it has no memory.</summary>
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
        return true;
    }

    /// <summary>Removes all.</summary>
    public void Clear() => Array.Clear(_groups);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private (nint Address, int Pages)[]? FindGroup(long number) =>
        (ulong)number / GroupPages < (ulong)_groups.Length ? _groups[number / GroupPages] : null;
}
