using System.Globalization;
using System.Linq.Expressions;
using System.Text.Json;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Linq.Translation;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations;

/// <summary>How all results of a query are changed.</summary>
public sealed class QueryOperationOptions
{
    /// <summary>Whether an index that has not read everything is good enough. By default the operation fails in this case.</summary>
    public bool AllowStale { get; set; }

    /// <summary>How long it waits until the index has read everything. Null if it does not wait.</summary>
    public TimeSpan? StaleTimeout { get; set; }

    /// <summary>Largest number of documents in a second; null for no limit.</summary>
    public int? MaxOpsPerSecond { get; set; }

    /// <summary>Whether the result names documents that were changed.</summary>
    public bool RetrieveDetails { get; set; }

    internal string ToQueryString()
    {
        string text = $"?allowStale={(AllowStale ? "true" : "false")}&details={(RetrieveDetails ? "true" : "false")}";
        text += StaleTimeout is { } timeout ? $"&staleTimeout={timeout.ToString("c", CultureInfo.InvariantCulture)}" : "";
        return text + (MaxOpsPerSecond is { } most ? string.Create(CultureInfo.InvariantCulture, $"&maxOpsPerSec={most}") : "");
    }
}

/// <summary>Changes all documents that a query finds by a script. Documents are changed one by one, not in one transaction.</summary>
/// <param name="query">RQL with <c>update</c>, and its parameters.</param>
/// <param name="options">Null: as <see cref="QueryOperationOptions"/> says.</param>
public sealed class PatchByQueryOperation(IndexQuery query, QueryOperationOptions? options = null) : DocumentOperation<Operation>
{
    private readonly IndexQuery _query = query ?? throw new ArgumentNullException(nameof(query));

    /// <inheritdoc cref="PatchByQueryOperation(IndexQuery, QueryOperationOptions)"/>
    /// <param name="rql">Such as <c>from Orders update { this.Total = 0; }</c>. Put values into parameters of an <see cref="IndexQuery"/>.</param>
    public PatchByQueryOperation(string rql, QueryOperationOptions? options = null)
        : this(new IndexQuery { Query = rql }, options)
    {
    }

    internal override ValueTask<Operation> RunAsync(OperationScope scope, bool isAsync, CancellationToken token) =>
        ByQuery.BeginAsync(scope, HttpMethod.Patch, options, json =>
        {
            json.WriteStartObject("Query"u8);
            QueryBody.Write(json, _query, scope.Serializer);
            json.WriteEndObject();
        }, isAsync, token);
}

/// <summary>Deletes all documents that a query finds, one by one and not in one transaction.</summary>
/// <param name="query">RQL with its parameters.</param>
/// <param name="options">Null: as <see cref="QueryOperationOptions"/> says.</param>
public sealed class DeleteByQueryOperation(IndexQuery query, QueryOperationOptions? options = null) : DocumentOperation<Operation>
{
    private readonly IndexQuery _query = query ?? throw new ArgumentNullException(nameof(query));

    /// <inheritdoc cref="DeleteByQueryOperation(IndexQuery, QueryOperationOptions)"/>
    /// <param name="rql">Such as <c>from Orders where Total = 0</c>. Put values into parameters of an <see cref="IndexQuery"/>.</param>
    public DeleteByQueryOperation(string rql, QueryOperationOptions? options = null)
        : this(new IndexQuery { Query = rql }, options)
    {
    }

    internal override ValueTask<Operation> RunAsync(OperationScope scope, bool isAsync, CancellationToken token) =>
        ByQuery.BeginAsync(scope, HttpMethod.Delete, options, json => QueryBody.Write(json, _query, scope.Serializer), isAsync, token);
}

/// <summary>Deletes all documents for which a condition holds, one by one and not in one transaction.</summary>
/// <param name="indexName">The index that finds them; null: the collection of the type is asked.</param>
/// <param name="condition">As in <c>Where</c> of a query.</param>
/// <param name="options">Null: as <see cref="QueryOperationOptions"/> says.</param>
/// <typeparam name="T">Of the documents.</typeparam>
public sealed class DeleteByQueryOperation<T>(string? indexName, Expression<Func<T, bool>> condition, QueryOperationOptions? options = null)
    : DocumentOperation<Operation>
{
    private readonly Expression<Func<T, bool>> _condition = condition ?? throw new ArgumentNullException(nameof(condition));

    /// <exception cref="QueryTranslationException">The condition has no counterpart in RQL.</exception>
    internal override ValueTask<Operation> RunAsync(OperationScope scope, bool isAsync, CancellationToken token)
    {
        var context = new TranslationContext(scope.Converter.Conventions, scope.Serializer);
        RqlText rql = LinqQuery.Translate(context, LinqQuery.SourceOf(scope.Converter.Conventions, typeof(T), indexName, null), _condition);
        var query = new IndexQuery { Query = rql.Query, QueryParameters = rql.Parameters };
        return new DeleteByQueryOperation(query, options).RunAsync(scope, isAsync, token);
    }
}

/// <summary>Begins changes of all results of a query.</summary>
internal static class ByQuery
{
    public static async ValueTask<Operation> BeginAsync(
        OperationScope scope, HttpMethod method, QueryOperationOptions? options, Action<Utf8JsonWriter> write, bool isAsync, CancellationToken token)
    {
        var message = new RequestMessage
        {
            Method = method,
            Path = "queries" + (options ?? new QueryOperationOptions()).ToQueryString(),
            Body = JsonText.Object(write),
        };
        RequestAnswer answer = await scope.WriteAsync(message, [], isAsync, token).ConfigureAwait(false);
        using JsonDocument? json = OperationAnswer.Parse(answer);
        return json is null
            ? throw new IndexDoesNotExistException("There is no index of this name.")
            : new Operation(scope, json.RootElement.Number("OperationId"u8) ?? 0, json.RootElement.Text("OperationNodeTag"u8));
    }
}
