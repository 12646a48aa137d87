namespace Jackdaw.Server.Configuration;

/// <summary>How pages reach the data file; see docs/operating/configuration.md.</summary>
public enum WriteMode
{
    /// <summary>The fastest one this machine has.</summary>
    Auto,

    /// <summary>A writable mapping and msync.</summary>
    Mmap,

    /// <summary>One write call per page.</summary>
    FileIo,

    /// <summary>Neighbouring pages in one vectored write call.</summary>
    VectoredFileIo,

    /// <summary>The kernel's submission ring.</summary>
    IoRing,
}
