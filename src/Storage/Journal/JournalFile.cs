using System.Runtime.CompilerServices;
using Jackdaw.Pal;

namespace Jackdaw.Storage.Journal;

/// <summary>One journal file in use: its place in the row of journals and what it holds.</summary>
/// <remarks>States: in the pool (any name but a number) -> prepared (header record durable, then named by its number) ->
/// current (the lane appends) -> closed -> retired (deleted, or back in the pool under a pool name).</remarks>
internal sealed unsafe class JournalFile : IDisposable
{
    public JournalFile(long number, string path, PalFile? file, Guid incarnation, long blocks)
    {
        Number = number;
        Path = path;
        File = file;
        Incarnation = incarnation;
        Blocks = blocks;
    }

    /// <summary>Place in the row; the next file has the next number.</summary>
    public long Number { get; }

    /// <summary>Full name.</summary>
    public string Path { get; }

    /// <summary>Open for durable writes; null when the file is only waiting to be retired.</summary>
    public PalFile? File { get; private set; }

    /// <summary>Identity of this life of the file.</summary>
    public Guid Incarnation { get; }

    /// <summary>Size in 4 KB blocks.</summary>
    public long Blocks { get; }

    /// <summary>Where the next entry goes. Journal lane only.</summary>
    public long NextBlock { get; set; } = 1;

    /// <summary>Last transaction in the file; 0 when it has none.</summary>
    public long LastTransaction { get; set; }

    /// <summary>No more entries will be written.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>Bytes of the file.</summary>
    public long Bytes => Blocks * JournalFormat.BlockSize;

    /// <summary>Ends writing.</summary>
    public void Close()
    {
        IsClosed = true;
        File?.Dispose();
        File = null;
    }

    /// <summary>Writes the header record that begins a life of the file, durably.</summary>
    public static void WriteHeader(PalFile file, long number, Guid incarnation, Guid storageId, long blocks)
    {
        using var block = new AlignedBuffer(JournalFormat.BlockSize);
        block.Ensure(JournalFormat.BlockSize);
        var header = new JournalFileHeader
        {
            Magic = JournalFileHeader.MagicValue,
            Version = JournalFileHeader.FormatVersion,
            Incarnation = incarnation,
            StorageId = storageId,
            Number = number,
            Blocks = blocks,
        };
        header.Seal();
        Unsafe.Write(block.Address, header);
        var vector = new PalVector { Base = block.Address, Length = JournalFormat.BlockSize };
        file.WriteJournal(new ReadOnlySpan<PalVector>(in vector), 0);
    }

    /// <inheritdoc/>
    public void Dispose() => Close();
}
