namespace Jackdaw.Queries.Planning.Projections;

/// <summary>Where the fields of a projection come from.</summary>
internal enum ProjectionSource
{
    /// <summary>From the index when it stores them, otherwise from the document.</summary>
    Either,

    /// <summary>From the index; null when it does not store them.</summary>
    Index,

    /// <summary>From the index; not stored is a mistake.</summary>
    IndexOrThrow,

    /// <summary>From the document.</summary>
    Document,

    /// <summary>From the document; not there is a mistake.</summary>
    DocumentOrThrow,
}
