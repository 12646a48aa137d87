namespace Jackdaw.Storage.FreeSpace;

/// <summary>What a call of the hole puncher leaves to do.</summary>
internal enum PunchResult
{
    /// <summary>Nothing until the next sync.</summary>
    Done,

    /// <summary>More of the same, after a pause.</summary>
    More,

    /// <summary>Something, when the writer and the journal rest.</summary>
    WriterIsBusy,
}
