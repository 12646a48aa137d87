using Jackdaw.Client.Http;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Linq.Rql;
using Jackdaw.Client.Linq.Translation;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Sessions.Core;

namespace Jackdaw.Client.Sessions;

/// <summary>Changes of all documents that a query finds, which the server makes.</summary>
public static class QueryChanges
{
    /// <summary>Changes all documents that the query finds, and waits until that is done:
    /// <c>query.ExecuteUpdateAsync(patch => patch.Set(o => o.Status, "open"))</c>.</summary>
    /// <remarks>Documents are changed one by one and not in one transaction. Objects that the session has loaded do not change, and the session's
    /// own changes must be saved before.</remarks>
    /// <param name="change">Says what is changed. It is called once, at once.</param>
    /// <param name="options">Null: as <see cref="QueryOperationOptions"/> says.</param>
    /// <returns>How many documents were found.</returns>
    public static Task<long> ExecuteUpdateAsync<T>(
        this IQueryable<T> source, Action<DocumentPatch<T>> change, QueryOperationOptions? options = null, CancellationToken token = default) =>
        UpdateAsync(source, change, options, isAsync: true, token).AsTask();

    /// <inheritdoc cref="ExecuteUpdateAsync"/>
    public static long ExecuteUpdate<T>(this IQueryable<T> source, Action<DocumentPatch<T>> change, QueryOperationOptions? options = null) =>
        Completed.Result(UpdateAsync(source, change, options, isAsync: false, default));

    /// <summary>Deletes all documents that the query finds, and waits until that is done.</summary>
    /// <remarks>Documents are deleted one by one and not in one transaction.</remarks>
    /// <param name="options">Null: as <see cref="QueryOperationOptions"/> says.</param>
    /// <returns>How many documents were found.</returns>
    public static Task<long> ExecuteDeleteAsync<T>(
        this IQueryable<T> source, QueryOperationOptions? options = null, CancellationToken token = default) =>
        DeleteAsync(source, options, isAsync: true, token).AsTask();

    /// <inheritdoc cref="ExecuteDeleteAsync"/>
    public static long ExecuteDelete<T>(this IQueryable<T> source, QueryOperationOptions? options = null) =>
        Completed.Result(DeleteAsync(source, options, isAsync: false, default));

    private static ValueTask<long> UpdateAsync<T>(
        IQueryable<T> source, Action<DocumentPatch<T>> change, QueryOperationOptions? options, bool isAsync, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(change);
        LinqQuery<T> query = DocumentQueryable.Of(source);
        IQueryRunner runner = query.DocumentProvider.Runner;
        IndexQuery found = OfDocuments(query);
        var patch = new DocumentPatch<T>(new TranslationContext(runner.Conventions, runner.Serializer));
        change(patch);
        Dictionary<string, object?> parameters = new(found.QueryParameters);
        string script = patch.Build().Print(value =>
        {
            string name = RqlPrinter.NameOf(parameters.Count);
            parameters.Add(name, value);
            return "$" + name;
        });
        var update = new IndexQuery { Query = $"{found.Query} update {{ {script} }}", QueryParameters = parameters };
        return ChangesOf(runner).ChangeAsync(new PatchByQueryOperation(update, options), isAsync, token);
    }

    private static ValueTask<long> DeleteAsync<T>(IQueryable<T> source, QueryOperationOptions? options, bool isAsync, CancellationToken token)
    {
        LinqQuery<T> query = DocumentQueryable.Of(source);
        return ChangesOf(query.DocumentProvider.Runner).ChangeAsync(new DeleteByQueryOperation(OfDocuments(query), options), isAsync, token);
    }

    // A page of rows, or what a projection makes of them, is nothing that can be changed.
    private static IndexQuery OfDocuments<T>(LinqQuery<T> query)
    {
        TranslatedQuery translated = query.DocumentProvider.Translate(query.Expression);
        return translated is { IsProjected: false, Page: (null, null), Includes: [] }
            ? new IndexQuery { Query = translated.Text, QueryParameters = translated.Parameters }
            : throw new InvalidOperationException("All documents that a query finds are changed: leave Select, GroupBy, Skip, Take and Include out.");
    }

    private static SessionCore ChangesOf(IQueryRunner runner) => runner as SessionCore
        ?? throw new InvalidOperationException("This query is not one of a session, which sends changes: begin with session.Query<T>().");
}
