namespace Jackdaw.Indexing;

/// <summary>Names are those of the protocol.</summary>
internal enum IndexRunningStatus
{
    Running,

    /// <summary>Paused until it is started, or until the database is opened again. Also the status after too many failures.</summary>
    Paused,

    /// <summary>Disabled until it is enabled again.</summary>
    Disabled,
}
