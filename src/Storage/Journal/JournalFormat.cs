using System.Globalization;
using System.Runtime.InteropServices;

namespace Jackdaw.Storage.Journal;

/// <summary>Constants of the journal format.</summary>
public static class JournalFormat
{
    /// <summary>Folder inside the storage's folder.</summary>
    public const string FolderName = "Journals";

    /// <summary>Unit of position and of durable writes: the alignment that O_DIRECT asks for on all common
    /// disks.</summary>
    public const int BlockSize = 4096;

    /// <summary>Largest stored payload: bounds the recovery buffer, and is more than twice the largest batch that a
    /// client may send.</summary>
    public const long EntryBytesMax = 256L * 1024 * 1024 * 2;

    /// <summary>Raw bytes of one compressed chunk: small enough to be compressed in parallel, large enough for the full
    /// ratio.</summary>
    public const int ChunkBytes = 1024 * 1024;

    private const string Extension = ".journal";

    /// <summary>Number of blocks for a number of bytes.</summary>
    public static long BlocksFor(long bytes) => (bytes + BlockSize - 1) / BlockSize;

    /// <summary>File name of a journal number; sorts like the number.</summary>
    public static string FileName(long number) => number.ToString("D19", CultureInfo.InvariantCulture) + Extension;

    /// <summary>Number in a journal's file name; false for other names.</summary>
    public static bool TryParseFileName(string name, out long number)
    {
        number = 0;
        return name.EndsWith(Extension, StringComparison.Ordinal) && name.Length == 19 + Extension.Length
            && long.TryParse(name.AsSpan(0, 19), NumberStyles.None, CultureInfo.InvariantCulture, out number) && number > 0;
    }

    /// <summary>Folds an identity into 8 bytes for hash seeds.</summary>
    public static ulong Fold(Guid id)
    {
        ReadOnlySpan<ulong> halves = MemoryMarshal.Cast<Guid, ulong>(MemoryMarshal.CreateReadOnlySpan(ref id, 1));
        return halves[0] ^ (halves[1] * 0x9E3779B97F4A7C15);
    }
}
