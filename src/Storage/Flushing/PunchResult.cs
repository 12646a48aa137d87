namespace Jackdaw.Storage.Flushing;

/// <summary>The work that remains after a call of the hole puncher.</summary>
internal enum PunchResult
{
    /// <summary>Nothing until the next sync.</summary>
    Done,

    /// <summary>There is more to punch, after a pause.</summary>
    More,

    /// <summary>There may be something to punch when the writer and the journal are idle.</summary>
    WriterIsBusy,
}
