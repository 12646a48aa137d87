namespace Jackdaw.Search.Segments.Fields;

/// <summary>What a field has, or had once.</summary>
[Flags]
internal enum FieldTraits
{
    None = 0,

    /// <summary>An entry had the field, even if it was null.</summary>
    Present = 1,

    /// <summary>Terms: texts, and numbers and dates as texts.</summary>
    Terms = 2,

    /// <summary>The terms come from an analyzer and have positions.</summary>
    Positions = 4,
    Longs = 8,
    Doubles = 16,
    Dates = 32,
    Shapes = 64,
    Nodes = 128,

    /// <summary>Factors for scores.</summary>
    Boosts = 256,

    /// <summary>Values that are too long to be terms.</summary>
    LongTexts = 512,
}

/// <summary>A field of an index. Immutable.</summary>
/// <param name="Number">From 1 on, in the order in which fields came. It is never used again for another field.</param>
internal sealed record FieldRecord(int Number, string Name, FieldTraits Traits)
{
    /// <summary>The number that stands for the entries themselves: their ids, factors and stored values.</summary>
    public const int OfEntries = 0;

    public bool Has(FieldTraits trait) => (Traits & trait) != 0;
}
