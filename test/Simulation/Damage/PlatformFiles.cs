namespace Jackdaw.Simulation.Damage;

/// <summary>Reads and damages files of a simulated volume.</summary>
internal static unsafe class PlatformFiles
{
    public static byte[] ReadAll(this SimulatedPlatform platform, string path)
    {
        using PalFile file = platform.OpenFile(path, FileOpening.Existing, FileUse.ReadOnly);
        byte[] bytes = new byte[file.GetLength()];
        fixed (byte* first = bytes)
        {
            file.Read(0, first, bytes.Length);
        }

        return bytes;
    }

    public static void Write(this SimulatedPlatform platform, string path, long offset, ReadOnlySpan<byte> bytes)
    {
        using PalFile file = platform.OpenFile(path, FileOpening.Existing, FileUse.Data);
        fixed (byte* first = bytes)
        {
            var write = new PalPageWrite { Base = first, Offset = offset, Length = bytes.Length };
            file.WritePages(new ReadOnlySpan<PalPageWrite>(in write));
        }

        file.Sync(SyncKind.Full);
    }

    public static void Create(this SimulatedPlatform platform, string path, ReadOnlySpan<byte> bytes)
    {
        platform.OpenFile(path, FileOpening.CreateNew, FileUse.Data).Dispose();
        platform.Write(path, 0, bytes);
        platform.SyncDirectories([Path.GetDirectoryName(path)!]);
    }

    public static void FlipBit(this SimulatedPlatform platform, string path, long bit)
    {
        byte[] one = platform.Read(path, bit / 8, 1);
        one[0] ^= (byte)(1 << (int)(bit % 8));
        platform.Write(path, bit / 8, one);
    }

    public static byte[] Read(this SimulatedPlatform platform, string path, long offset, int length)
    {
        using PalFile file = platform.OpenFile(path, FileOpening.Existing, FileUse.ReadOnly);
        byte[] bytes = new byte[length];
        fixed (byte* first = bytes)
        {
            file.Read(offset, first, length);
        }

        return bytes;
    }

    public static void Cut(this SimulatedPlatform platform, string path, long length)
    {
        using PalFile file = platform.OpenFile(path, FileOpening.Existing, FileUse.Data);
        file.SetLength(length);
        file.Sync(SyncKind.Full);
    }

    public static void Swap(this SimulatedPlatform platform, string first, string second)
    {
        platform.RenameDurable(first, first + ".swap");
        platform.RenameDurable(second, first);
        platform.RenameDurable(first + ".swap", second);
    }
}
