namespace Jackdaw.Client.Linq;

/// <summary>A LINQ query of documents. Immutable: each operator gives a new query, so one query can be the beginning of several.</summary>
/// <remarks>It runs when it is enumerated, or by a method such as <see cref="DocumentQueryable.ToListAsync{T}"/>. <c>ToString()</c> gives its RQL.</remarks>
public interface IDocumentQueryable<out T> : IOrderedQueryable<T>;
