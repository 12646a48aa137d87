namespace Jackdaw.Indexing.Definitions.Values;

/// <summary>What a <see cref="Value"/> holds. Kinds up to <see cref="Null"/> are null to a definition.</summary>
internal enum ValueKind : byte
{
    /// <summary>A member or an element that a document does not have.</summary>
    Missing,
    Null,
    Bool,
    Long,
    Double,
    Decimal,
    Text,
    Date,
    Duration,

    /// <summary>A string of a document, decoded when it is needed.</summary>
    TapeText,

    /// <summary>A number of a document that is not a 64-bit integer. The value has its text.</summary>
    TapeNumber,
    TapeObject,
    TapeArray,

    /// <summary>The result of MetadataFor: the members that a document stores, and those that the server knows.</summary>
    Metadata,
    List,

    /// <summary>An object that the definition made.</summary>
    Object,

    /// <summary>One member of an object that is enumerated: Key and Value.</summary>
    Pair,
    DynamicField,
    Spatial,

    /// <summary>A value with a factor for the relevance of its hits.</summary>
    Boosted,
}
