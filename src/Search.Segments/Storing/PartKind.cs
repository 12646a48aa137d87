namespace Jackdaw.Search.Segments.Storing;

/// <summary>The parts that a segment has of a field. The numbers are stored, and parts lie in their order.</summary>
internal enum PartKind : byte
{
    /// <summary>Entries that have the field: an <see cref="Codes.EntrySet"/>.</summary>
    Present = 1,

    /// <summary>Entries with a value that is null: a set.</summary>
    Nulls = 2,

    /// <summary>The dictionary: terms in order, with the entries of each.</summary>
    Terms = 3,

    /// <summary>The beginnings and places of the dictionary's blocks.</summary>
    TermIndex = 4,
    Postings = 5,
    Positions = 6,

    /// <summary>A column: for each entry the place of its first term in the dictionary.</summary>
    Ordinals = 7,
    OrdinalRows = 8,

    /// <summary>A column: the number of tokens of each entry.</summary>
    Norms = 9,
    NormRows = 10,

    /// <summary>Entries whose first value is a date, which are ordered by their time: a set.</summary>
    DatesFirst = 11,

    /// <summary>The first whole text of each entry of a field of full text, for orders: a dictionary without entries, and a column.</summary>
    SortTerms = 12,
    SortIndex = 13,
    SortOrdinals = 14,
    SortOrdinalRows = 15,

    /// <summary>The cells that shapes touch: a dictionary.</summary>
    CellTerms = 16,
    CellIndex = 17,
    CellPostings = 18,

    /// <summary>The ids, in the order of the entries.</summary>
    Ids = 19,

    /// <summary>A column: factors for scores.</summary>
    Boosts = 20,
    BoostRows = 21,

    /// <summary>The stored values of each entry: blobs.</summary>
    Stored = 24,

    /// <summary>The shapes of each entry: blobs.</summary>
    Shapes = 28,

    /// <summary>The values of each entry that are too long to be terms: blobs.</summary>
    LongTexts = 32,

    // Each kind of number has up to five parts, from here on.
    Longs = 40,
    Doubles = 48,
    Dates = 56,
    Nodes = 64,
}

/// <summary>The parts of blobs, counted from the first one.</summary>
internal enum BlobPart
{
    /// <summary>The entries that have one: a set.</summary>
    Entries = 0,

    /// <summary>The places of the blocks.</summary>
    Index = 1,
    Bytes = 2,
}

/// <summary>The parts of a kind of numbers, counted from the first one of the kind.</summary>
internal enum NumberPart
{
    /// <summary>A column: the first number of each entry, where it is of this kind.</summary>
    Column = 0,
    Rows = 1,

    /// <summary>The entries in the order of their values.</summary>
    Order = 2,

    /// <summary>Every 256th value of the order.</summary>
    Samples = 3,

    /// <summary>The values of the order, where an entry has several.</summary>
    Values = 4,
}

internal static class PartKinds
{
    /// <summary>A part of a kind of numbers.</summary>
    public static PartKind Of(this PartKind numbers, NumberPart part) => (PartKind)((int)numbers + (int)part);

    /// <summary>A part of blobs.</summary>
    public static PartKind Of(this PartKind blobs, BlobPart part) => (PartKind)((int)blobs + (int)part);
}
