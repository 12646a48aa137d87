namespace Jackdaw.Server.SelfTest;

/// <summary>What a part of the self test found; the worst is that of the whole.</summary>
public enum Verdict
{
    /// <summary>All is as it must be.</summary>
    Passed,

    /// <summary>Nothing is proven wrong, but the disk behaves as one that loses or delays writes.</summary>
    Suspicious,

    /// <summary>Acknowledged data was lost or came back wrong.</summary>
    Failed,
}
