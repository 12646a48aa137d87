namespace Jackdaw.Client.ExpressionTrees;

/// <summary>Where a parameter comes from, for queries that differ in their values only. Null instead: from the shape of the query.</summary>
internal abstract record ValueOrigin;
