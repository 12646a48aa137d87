using System.Runtime.InteropServices;
using Jackdaw.Search.Segments.Reading;

namespace Jackdaw.Search.Segments.Tests.Proofs;

/// <summary>Puts each part that this thread reads in front of memory that nobody may read: one byte behind its end ends the process.</summary>
internal sealed unsafe partial class GuardedParts : IDisposable
{
    private const int PageBytes = 4096;
    private const int ReadWrite = 3, None = 0, PrivateAnonymous = 0x22;

    private readonly Dictionary<(nint, long), nint> _copies = [];
    private readonly List<(nint Start, nint Bytes)> _regions = [];

    public GuardedParts() => PartPlaces.Elsewhere = Find;

    /// <summary>Forgets the copies, whose originals have changed.</summary>
    public void Forget() => _copies.Clear();

    public void Dispose()
    {
        PartPlaces.Elsewhere = null;
        foreach ((nint start, nint bytes) in _regions)
        {
            _ = Unmap(start, bytes);
        }
    }

    private nint Find(nint start, long bytes)
    {
        if (!_copies.TryGetValue((start, bytes), out nint copy))
        {
            nint whole = (nint)((bytes + PageBytes - 1) / PageBytes * PageBytes);
            nint region = Map(0, whole + PageBytes, ReadWrite, PrivateAnonymous, -1, 0);
            Assert.NotEqual(-1, region);
            _regions.Add((region, whole + PageBytes));
            Assert.Equal(0, Protect(region + whole, PageBytes, None));
            copy = region + whole - (nint)bytes;
            Buffer.MemoryCopy((void*)start, (void*)copy, bytes, bytes);
            _copies.Add((start, bytes), copy);
        }

        return copy;
    }

    [LibraryImport("libc", EntryPoint = "mmap")]
    private static partial nint Map(nint address, nint length, int protection, int flags, int file, nint offset);

    [LibraryImport("libc", EntryPoint = "mprotect")]
    private static partial int Protect(nint address, nint length, int protection);

    [LibraryImport("libc", EntryPoint = "munmap")]
    private static partial int Unmap(nint address, nint length);
}
