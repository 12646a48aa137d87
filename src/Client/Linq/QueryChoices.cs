namespace Jackdaw.Client.Linq;

/// <summary>How a search is combined with the conditions before it.</summary>
[Flags]
public enum SearchOptions
{
    /// <summary>Of consecutive searches, one must be met. After other conditions, both must be met.</summary>
    Guess = 0,

    /// <summary>It or the conditions before it must be met.</summary>
    Or = 1,

    /// <summary>It and the conditions before it must be met.</summary>
    And = 2,

    /// <summary>It must not be met, by a document that has the field.</summary>
    Not = 4,
}

/// <summary>The operator between the words of a search.</summary>
public enum SearchOperator
{
    /// <summary>One of them.</summary>
    Or,

    /// <summary>All of them.</summary>
    And,
}

/// <summary>How values are compared for an order.</summary>
public enum OrderingType
{
    /// <summary>Compared as texts, without casing.</summary>
    String,

    /// <summary>Compared as whole numbers.</summary>
    Long,

    /// <summary>Compared as numbers.</summary>
    Double,

    /// <summary>Compared as texts in which digits are numbers: a2 before a10.</summary>
    AlphaNumeric,
}

/// <summary>Where rows without a value stand in an order.</summary>
public enum NullsOrdering
{
    /// <summary>As the server is set up: first when ascending.</summary>
    Default,

    /// <summary>Before all others.</summary>
    First,

    /// <summary>After all others.</summary>
    Last,
}
