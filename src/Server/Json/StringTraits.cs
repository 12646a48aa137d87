namespace Jackdaw.Server.Json;

/// <summary>What a scan of a JSON string met in it.</summary>
[Flags]
internal enum StringTraits
{
    /// <summary>The bytes between the quotes are the text.</summary>
    None = 0,

    /// <summary>There are backslash escapes.</summary>
    Escapes = 1,

    /// <summary>There are bytes below 0x20, which JSON forbids and some clients send; the stored form has escapes for
    /// them.</summary>
    RawControls = 2,
}
