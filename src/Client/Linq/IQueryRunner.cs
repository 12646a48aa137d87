using System.Text.Json;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Linq;

/// <summary>Sends queries and makes results from their answers. A session is one for its LINQ queries.</summary>
public interface IQueryRunner
{
    /// <summary>Names of collections, properties and fields.</summary>
    DocumentConventions Conventions { get; }

    /// <summary>Makes values of parameters and results.</summary>
    DocumentSerializer Serializer { get; }

    /// <summary>Runs a query.</summary>
    /// <typeparam name="T">What rows become; with <see cref="JsonElement"/> they stay as they came.</typeparam>
    /// <param name="isAsync">False: the call returns when it is complete, without having blocked on anything asynchronous.</param>
    ValueTask<QueryAnswer<T>> RunAsync<T>(IndexQuery query, bool isAsync, CancellationToken token);

    /// <summary>Lets a query run together with others, when the first of their answers is needed.</summary>
    /// <param name="afterRun">Called once with the answer, when it has come.</param>
    PendingAnswer<T> RunLazily<T>(IndexQuery query, Action<QueryAnswer<T>> afterRun);

    /// <summary>Runs a query whose results come one by one and are not tracked.</summary>
    IAsyncEnumerable<T> StreamAsync<T>(IndexQuery query, CancellationToken token);
}

/// <summary>Gives an answer that may not have been requested yet.</summary>
/// <param name="isAsync">False: the call returns when it is complete.</param>
public delegate ValueTask<QueryAnswer<T>> PendingAnswer<T>(bool isAsync, CancellationToken token);

/// <summary>The answer of a query.</summary>
public sealed class QueryAnswer<T>
{
    /// <summary>The results, in the order of the query.</summary>
    public required List<T> Results { get; init; }

    /// <summary>What the server says about the query.</summary>
    public required QueryStatistics Statistics { get; init; }

    /// <summary>Pieces of text with the words that were searched, by field and by id of the document; undefined when none were requested.</summary>
    public JsonElement Highlightings { get; init; }

    /// <summary>Milliseconds of each step as the server sends them; undefined when they were not requested.</summary>
    public JsonElement Timings { get; init; }

    /// <summary>Why each result has its score, by the id of the document; undefined when that was not requested.</summary>
    public JsonElement Explanations { get; init; }
}
