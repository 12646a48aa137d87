using System.Diagnostics.CodeAnalysis;
using Jackdaw.Client.Linq;

namespace Jackdaw.Client.DocumentQueries;

/// <summary>A document query whose runs are awaited.</summary>
internal sealed class AsyncDocumentQuery<T>(DocumentQueryState state) : DocumentQueryBase<T, IAsyncDocumentQuery<T>>(state), IAsyncDocumentQuery<T>
{
    protected override IAsyncDocumentQuery<T> Self => this;

    public IAsyncDocumentQuery<TProjection> SelectFields<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties | DynamicallyAccessedMemberTypes.PublicFields)] TProjection>() =>
        new AsyncDocumentQuery<TProjection>(Next(DocumentQueryable.MembersOf<TProjection>()));

    public IAsyncDocumentQuery<TProjection> SelectFields<TProjection>(params string[] fields) =>
        new AsyncDocumentQuery<TProjection>(Next(FieldsOf<TProjection>(fields)));

    public IAsyncDocumentQuery<TResult> OfType<TResult>() => new AsyncDocumentQuery<TResult>(Next(null));

    public Task<List<T>> ToListAsync(CancellationToken token = default) => Build().ToListAsync(token);

    public Task<T[]> ToArrayAsync(CancellationToken token = default) => Build().ToArrayAsync(token);

    public Task<T> FirstAsync(CancellationToken token = default) => Build().FirstAsync(token);

    public Task<T?> FirstOrDefaultAsync(CancellationToken token = default) => Build().FirstOrDefaultAsync(token);

    public Task<T> SingleAsync(CancellationToken token = default) => Build().SingleAsync(token);

    public Task<T?> SingleOrDefaultAsync(CancellationToken token = default) => Build().SingleOrDefaultAsync(token);

    public Task<bool> AnyAsync(CancellationToken token = default) => Build().AnyAsync(token);

    public Task<int> CountAsync(CancellationToken token = default) => Build().CountAsync(token);

    public Task<long> LongCountAsync(CancellationToken token = default) => Build().LongCountAsync(token);

    public IAsyncEnumerable<T> AsAsyncEnumerable(CancellationToken token = default) => Build().AsAsyncEnumerable(token);
}
