using System.Collections;
using System.Diagnostics.CodeAnalysis;
using Jackdaw.Client.Http;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.DocumentQueries;

/// <summary>A document query whose runs block.</summary>
internal sealed class DocumentQuery<T>(DocumentQueryState state) : DocumentQueryBase<T, IDocumentQuery<T>>(state), IDocumentQuery<T>
{
    protected override IDocumentQuery<T> Self => this;

    public IDocumentQuery<TProjection> SelectFields<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties | DynamicallyAccessedMemberTypes.PublicFields)] TProjection>() =>
        new DocumentQuery<TProjection>(Next(DocumentQueryable.MembersOf<TProjection>()));

    public IDocumentQuery<TProjection> SelectFields<TProjection>(params string[] fields) =>
        new DocumentQuery<TProjection>(Next(FieldsOf<TProjection>(fields)));

    public IDocumentQuery<TResult> OfType<TResult>() => new DocumentQuery<TResult>(Next(null));

    public List<T> ToList()
    {
        LinqQuery<T> query = Build();
        return Completed.Result(query.DocumentProvider.RunRowsAsync<T>(query.Expression, isAsync: false, default));
    }

    public T[] ToArray() => [.. ToList()];

    public IEnumerator<T> GetEnumerator() => ToList().GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    public T First() => Run<T>(Terminal.First);

    public T? FirstOrDefault() => Run<T>(Terminal.FirstOrDefault);

    public T Single() => Run<T>(Terminal.Single);

    public T? SingleOrDefault() => Run<T>(Terminal.SingleOrDefault);

    public bool Any() => Run<bool>(Terminal.Any);

    public int Count() => Run<int>(Terminal.Count);

    public long LongCount() => Run<long>(Terminal.Count);

    private TResult Run<TResult>(Terminal terminal)
    {
        LinqQuery<T> query = Build();
        return Completed.Result(query.DocumentProvider.RunSingleAsync<TResult>(query.Expression, terminal, isAsync: false, default));
    }
}
