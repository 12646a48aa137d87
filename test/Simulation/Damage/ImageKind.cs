namespace Jackdaw.Simulation.Damage;

/// <summary>How the storage of an image stopped.</summary>
public enum ImageKind
{
    /// <summary>Killed right after an acknowledgment: the last entry stands alone.</summary>
    Killed,

    /// <summary>Killed after a moment without work: a footer follows the last entry.</summary>
    KilledIdle,

    /// <summary>Closed; the names of its journals came back.</summary>
    Closed,
}
