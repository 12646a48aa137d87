using System.Diagnostics.CodeAnalysis;

namespace Jackdaw.Client.DocumentQueries;

/// <summary>A query that is built call by call and blocks while it runs. It also runs when it is enumerated.</summary>
public interface IDocumentQuery<T> : IDocumentQueryBase<T, IDocumentQuery<T>>, IEnumerable<T>
{
    /// <summary>A query whose rows have another type. They are made from the properties of documents that have the same names as the members of
    /// this type.</summary>
    IDocumentQuery<TProjection> SelectFields<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties | DynamicallyAccessedMemberTypes.PublicFields)] TProjection>();

    /// <summary>A query whose rows have these fields. With one field and a type without properties, the rows are the values of the field.</summary>
    /// <param name="fields">Paths. The last name of a path is the name of the property.</param>
    IDocumentQuery<TProjection> SelectFields<TProjection>(params string[] fields);

    /// <summary>The same query, whose rows are read as another type.</summary>
    IDocumentQuery<TResult> OfType<TResult>();

    /// <summary>Runs the query and returns all its rows.</summary>
    List<T> ToList();

    /// <inheritdoc cref="ToList"/>
    T[] ToArray();

    /// <summary>The first row.</summary>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    T First();

    /// <summary>The first row, or the default.</summary>
    T? FirstOrDefault();

    /// <summary>The only row.</summary>
    /// <exception cref="InvalidOperationException">There is none, or more than one.</exception>
    T Single();

    /// <summary>The only row, or the default when there is none.</summary>
    /// <exception cref="InvalidOperationException">There is more than one.</exception>
    T? SingleOrDefault();

    /// <summary>Whether there is a row.</summary>
    bool Any();

    /// <summary>How many rows there are.</summary>
    /// <exception cref="OverflowException">There are more than an <see cref="int"/> can count.</exception>
    int Count();

    /// <summary>How many rows there are.</summary>
    long LongCount();
}

/// <summary>A query that is built call by call.</summary>
public interface IAsyncDocumentQuery<T> : IDocumentQueryBase<T, IAsyncDocumentQuery<T>>
{
    /// <inheritdoc cref="IDocumentQuery{T}.SelectFields{TProjection}()"/>
    IAsyncDocumentQuery<TProjection> SelectFields<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties | DynamicallyAccessedMemberTypes.PublicFields)] TProjection>();

    /// <inheritdoc cref="IDocumentQuery{T}.SelectFields{TProjection}(string[])"/>
    IAsyncDocumentQuery<TProjection> SelectFields<TProjection>(params string[] fields);

    /// <inheritdoc cref="IDocumentQuery{T}.OfType{TResult}"/>
    IAsyncDocumentQuery<TResult> OfType<TResult>();

    /// <inheritdoc cref="IDocumentQuery{T}.ToList"/>
    Task<List<T>> ToListAsync(CancellationToken token = default);

    /// <inheritdoc cref="IDocumentQuery{T}.ToList"/>
    Task<T[]> ToArrayAsync(CancellationToken token = default);

    /// <inheritdoc cref="IDocumentQuery{T}.First"/>
    Task<T> FirstAsync(CancellationToken token = default);

    /// <inheritdoc cref="IDocumentQuery{T}.FirstOrDefault"/>
    Task<T?> FirstOrDefaultAsync(CancellationToken token = default);

    /// <inheritdoc cref="IDocumentQuery{T}.Single"/>
    Task<T> SingleAsync(CancellationToken token = default);

    /// <inheritdoc cref="IDocumentQuery{T}.SingleOrDefault"/>
    Task<T?> SingleOrDefaultAsync(CancellationToken token = default);

    /// <inheritdoc cref="IDocumentQuery{T}.Any"/>
    Task<bool> AnyAsync(CancellationToken token = default);

    /// <inheritdoc cref="IDocumentQuery{T}.Count"/>
    Task<int> CountAsync(CancellationToken token = default);

    /// <inheritdoc cref="IDocumentQuery{T}.LongCount"/>
    Task<long> LongCountAsync(CancellationToken token = default);

    /// <summary>The rows one by one, in one request and without a limit of their number. They are not tracked.</summary>
    IAsyncEnumerable<T> AsAsyncEnumerable(CancellationToken token = default);
}
