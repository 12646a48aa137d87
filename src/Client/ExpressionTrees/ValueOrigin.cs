namespace Jackdaw.Client.ExpressionTrees;

/// <summary>Where a parameter comes from, for queries that differ only in their values. Null instead of this means that it comes from the shape of
/// the query.</summary>
internal abstract record ValueOrigin;
