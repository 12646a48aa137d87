namespace Jackdaw.TestKit;

/// <summary>What may happen to the name of a file.</summary>
public enum NameChange
{
    /// <summary>A new file.</summary>
    Create,

    /// <summary>A second name.</summary>
    Link,

    /// <summary>Another name; the hook sees the new one.</summary>
    Rename,

    /// <summary>A name goes.</summary>
    Delete,
}
