namespace Jackdaw.Client.Vectors;

/// <summary>What the numbers of a vector are.</summary>
public enum EmbeddingType
{
    /// <summary>Numbers of 32 bits.</summary>
    Single,

    /// <summary>Whole numbers from -128 to 127.</summary>
    Int8,

    /// <summary>Bits, eight in a byte, the lowest bit first. A bit that is set counts as 1, another as -1.</summary>
    Binary,

    /// <summary>A text that a model makes the vector from. This server has no model and refuses it; others may have one.</summary>
    Text,
}
