namespace Jackdaw.Pal.Tests;

/// <summary>Short forms of file calls for tests.</summary>
internal static unsafe class FileExtensions
{
    internal static void WriteAt(this PalFile file, long offset, byte fill, int length)
    {
        using var buffer = new AlignedBuffer(length, fill);
        file.WritePages([buffer.PageAt(offset)]);
    }

    internal static void JournalAt(this PalFile file, long offset, byte fill, int length)
    {
        using var buffer = new AlignedBuffer(length, fill);
        file.WriteJournal([buffer.Whole], offset);
    }

    internal static byte[] ReadAt(this PalFile file, long offset, int length)
    {
        using var buffer = new AlignedBuffer(length, 0xEE);
        long done = file.Read(offset, buffer.Address, length);
        return buffer.Span[..(int)done].ToArray();
    }

    internal static byte[] Filled(byte fill, int length)
    {
        byte[] bytes = new byte[length];
        bytes.AsSpan().Fill(fill);
        return bytes;
    }
}
