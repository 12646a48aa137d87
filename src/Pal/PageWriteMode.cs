namespace Jackdaw.Pal;

/// <summary>How a batch of page writes reaches the file; the same numbers as in native/pal.h. All modes are durable
/// after <see cref="PalFile.Sync"/> and none before.</summary>
public enum PageWriteMode
{
    /// <summary>One call for each page: the control that the others are measured against.</summary>
    FileIo = 0,

    /// <summary>Neighbouring pages in one vectored call.</summary>
    VectoredFileIo = 1,

    /// <summary>Neighbouring pages as one request in the kernel's submission ring; one ring and one thread for the
    /// process.</summary>
    IoRing = 2,

    /// <summary>A writable mapping for the time of the batch. Its errors come late, or end the process; see
    /// docs/platform-layer.md.</summary>
    Mmap = 3,
}
