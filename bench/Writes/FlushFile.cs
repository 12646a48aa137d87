using System.Diagnostics;
using System.Globalization;
using Jackdaw.Pal;
using Jackdaw.Pal.Native;

namespace Jackdaw.Bench.Writes;

/// <summary>A file with written blocks, and the pages to write into it.</summary>
internal sealed unsafe class FlushFile : IDisposable
{
    public const int PageBytes = 8192;

    private const int FillBytes = 16 << 20;

    private readonly NativePlatform _platform = new();
    private readonly CacheState _cache;
    private readonly string _folder;
    private readonly string _statistics;
    private readonly long _memoryBytes;

    public FlushFile(string folder, long bytes, CacheState cache, int pagesMax)
    {
        _cache = cache;
        _folder = Path.Combine(folder, $"writes-bench-{Guid.NewGuid():N}");
        _memoryBytes = Math.Max((long)pagesMax * PageBytes, FillBytes);
        Memory = PalMemory.Allocate(_memoryBytes);
        Pages = bytes / PageBytes;
        new Span<byte>(Memory, FillBytes).Fill(0x5A);
        for (long offset = FillBytes; offset < _memoryBytes; offset += PageBytes)
        {
            new Span<byte>(Memory + offset, PageBytes).Fill((byte)(offset / PageBytes));
        }

        _platform.CreateDirectory(_folder);
        FilePath = Path.Combine(_folder, "data");
        Fill(bytes);
        ulong device = _platform.GetIdentity(FilePath).Device;
        ulong major = (device >> 8) & 0xfff;
        ulong minor = (device & 0xff) | ((device >> 12) & 0xfff00);
        Device = string.Create(CultureInfo.InvariantCulture, $"{major}:{minor}");
        _statistics = $"/sys/dev/block/{Device}/stat";
    }

    public string FilePath { get; }

    /// <summary>Pages of the file.</summary>
    public long Pages { get; }

    /// <summary>First byte of the pages to write; the n-th page of a flush is the n-th here.</summary>
    public byte* Memory { get; }

    /// <summary>Major and minor number of the device.</summary>
    public string Device { get; }

    /// <summary>Writes the device has completed, whoever asked for them; 0 when the system does not say.</summary>
    public long DeviceWrites()
    {
        if (!File.Exists(_statistics))
        {
            return 0;
        }

        string[] fields = File.ReadAllText(_statistics).Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return long.Parse(fields[4], CultureInfo.InvariantCulture);
    }

    /// <summary>Brings file and cache into the state a flush is to find.</summary>
    public void Prepare(PalFile file)
    {
        file.Sync(SyncKind.Data);
        if (_cache == CacheState.None)
        {
            DropCache();
        }
    }

    public void Dispose()
    {
        _platform.DeleteDirectory(_folder);
        PalMemory.Free(Memory, _memoryBytes);
    }

    private void Fill(long bytes)
    {
        using PalFile file = _platform.OpenFile(FilePath, FileOpening.CreateNew, FileUse.Data);
        file.Allocate(bytes);
        int step = FillBytes;
        if (_cache == CacheState.Small)
        {
            // Written blocks first: the flushes measured must not turn blocks that are only allocated into written ones.
            file.ZeroFill(0, bytes);
            file.Sync(SyncKind.Full);
            DropCache();
            step = PageBytes;
        }

        for (long offset = 0; offset < bytes; offset += step)
        {
            long length = Math.Min(step, bytes - offset);
            file.WritePages([new PalPageWrite { Base = Memory, Offset = offset, Length = length }]);
        }

        file.Sync(SyncKind.Full);
    }

    /// <summary>dd with nothing to copy, for its advice to the kernel.</summary>
    private void DropCache()
    {
        string[] arguments = [$"if={FilePath}", "iflag=nocache", "count=0", "status=none"];
        using Process dd = Process.Start(new ProcessStartInfo("dd", arguments))
            ?? throw new InvalidOperationException("dd cannot be started.");
        dd.WaitForExit();
        if (dd.ExitCode != 0)
        {
            throw new InvalidOperationException($"dd ended with {dd.ExitCode}.");
        }
    }
}
