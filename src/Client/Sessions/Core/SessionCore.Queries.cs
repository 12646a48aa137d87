using System.Globalization;
using System.Text;
using System.Text.Json;
using Jackdaw.Client.Caching;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Serialization;
using Jackdaw.Client.Sessions.Events;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>Queries. They are sent with the etag of the session's last save, so that the session sees its own writes, and results are
/// tracked.</summary>
internal sealed partial class SessionCore : IQueryRunner
{
    public async ValueTask<QueryAnswer<T>> RunAsync<T>(IndexQuery query, bool isAsync, CancellationToken token)
    {
        using SessionUse.Scope use = _use.Begin($"the query \"{query.Query}\"");
        RequestMessage message = QueryMessage(query, "queries");
        Action<RequestAnswer, AnswerTags>? describe = MayCacheQuery(query) ? (found, tags) => QueryTags.Collect(query, found, tags) : null;
        return TakeQuery<T>(query, await executor.ReadAsync(message, describe, this, isAsync, token).ConfigureAwait(false));
    }

    private bool MayCacheQuery(IndexQuery query) => MayCache && !query.NoCaching && !query.WaitForNonStaleResults;

    private QueryAnswer<T> TakeQuery<T>(IndexQuery query, ReadAnswer answer)
    {
        if (answer.Answer.IsMissing)
        {
            throw new IndexDoesNotExistException(
                $"There is no index with the name in the query \"{query.Query}\". Put its definition first, or correct the name.");
        }

        return answer.Answer.Read(body =>
        {
            bool mayBeDocuments = query.Shape.Kind is ResultKind.Documents or ResultKind.Rows && typeof(T) != typeof(JsonElement);
            if (mayBeDocuments && QueriedDocuments.TryOf(answer.Answer) is { } documents)
            {
                return ReadDocuments<T>(query, documents, answer);
            }

            using JsonDocument json = AnswerJson.Parse(body);
            return ReadQuery<T>(query, json.RootElement, answer);
        });
    }

    private QueryAnswer<T> ReadDocuments<T>(IndexQuery query, QueriedDocuments documents, ReadAnswer answer)
    {
        bool isTracked = settings.IsTracking && !query.NoTracking;
        if (isTracked)
        {
            TakeIncludes(documents.Rest);
        }

        var results = new List<T>(documents.Documents.Count);
        Type type = query.TypeFor(typeof(T));
        foreach (StoredDocument document in documents.Documents)
        {
            results.Add((T)(isTracked && !IsRowOfIndex<T>(query, document.Id) ? _tracker.TakeFound(type, document) : _tracker.Read(type, document))!);
        }

        return Answer(query, results, documents.Rest, answer);
    }

    private QueryAnswer<T> Answer<T>(IndexQuery query, List<T> results, JsonElement root, ReadAnswer answer) => new()
    {
        Results = results,
        Statistics = StatisticsOf(query, root, answer),
        Highlightings = Part(root, "Highlightings"u8),
        Timings = Part(root, "Timings"u8),
        Explanations = Part(root, "Explanations"u8),
    };

    private RequestMessage QueryMessage(IndexQuery query, string path)
    {
        query.WaitForNonStaleResults |= Conventions.StaleQueries != StaleQueryMode.Answer;
        Notifier.Tell(Notifier.Handlers.BeforeQuery, query, static query => new BeforeQueryEventArgs(query));
        ReadOnlyMemory<byte> body = JsonText.Object(json =>
        {
            QueryBody.Write(json, query, Serializer);
            WriteWaits(json, query);
            if (query.ProjectionBehavior != ProjectionBehavior.Default)
            {
                json.WriteString("ProjectionBehavior"u8, query.ProjectionBehavior.ToString());
            }
        });

        TimeSpan? timeout = query.WaitForNonStaleResults ? (query.WaitForNonStaleResultsTimeout ?? QueryBody.WaitDefault) + TimeSpan.FromMinutes(5) : null;
        string separator = path.Contains('?', StringComparison.Ordinal) ? "&" : "?";
        return new RequestMessage
        {
            Method = HttpMethod.Post,
            Path = string.Create(CultureInfo.InvariantCulture, $"{path}{separator}queryHash={AnswerKey.HashOf(body.Span):x}"),
            Body = body,
            IsRead = true,
            Timeout = timeout,
            Collection = query.Collection,
            QueryText = query.Query,
        };
    }

    private void WriteWaits(Utf8JsonWriter json, IndexQuery query)
    {
        if (!query.WaitForNonStaleResults && SavedEtag > 0 && ReadsWhatWasSaved(query))
        {
            json.WriteNumber("WaitForEtag"u8, SavedEtag);
        }
    }

    // A collection query reads the documents themselves. It is not known which collections an index reads.
    private bool ReadsWhatWasSaved(IndexQuery query) =>
        query.Collection is not { } collection || _hasSavedAnywhere || _savedCollections?.Contains(collection) == true;

    private QueryAnswer<T> ReadQuery<T>(IndexQuery query, JsonElement root, ReadAnswer answer)
    {
        List<T> results = [];
        bool isTracked = settings.IsTracking && !query.NoTracking;
        if (isTracked)
        {
            TakeIncludes(root);
        }

        if (query.Shape.Kind != ResultKind.None)
        {
            foreach (JsonElement result in root.RequiredList("Results"u8).EnumerateArray())
            {
                results.Add(Result<T>(query, result, isTracked));
            }
        }

        return Answer(query, results, root, answer);
    }

    private T Result<T>(IndexQuery query, JsonElement result, bool isTracked)
    {
        if (typeof(T) == typeof(JsonElement))
        {
            return (T)(object)result.Clone();
        }

        switch (query.Shape.Kind)
        {
            case ResultKind.Documents when result.ValueKind == JsonValueKind.Object && (query.Collection is not null || IsDocument(result)):
            case ResultKind.Rows when IsDocument(result):
                Type type = query.TypeFor(typeof(T));
                return (T)(isTracked && !IsRowOfIndex<T>(query, StoredDocument.MetadataOf(result).RequiredText("@id"u8))
                    ? _tracker.TakeFound(type, StoredDocument.Of(result))
                    : Untracked(type, result))!;
            case ResultKind.Values:
                return result.TryFind(Encoding.UTF8.GetBytes(query.Shape.Property!), out JsonElement value) && value.ValueKind != JsonValueKind.Null
                    ? value.Deserialize(Serializer.TypeInfo<T>())!
                    : default!;
            default:
                return Serializer.Rows.Read<T>(result);
        }
    }

    // A query of an index may ask for fields of documents by a class of its own. Their changes are not meant to be saved.
    private bool IsRowOfIndex<T>(IndexQuery query, string id) =>
        query.Collection is null && query.Query.AsSpan().TrimStart().StartsWith("from index", StringComparison.OrdinalIgnoreCase)
        && _tracker.Find(id) is { Entity: not T };

    private static bool IsDocument(JsonElement result) =>
        result.TryFind("@metadata"u8, out JsonElement metadata) && metadata.TryFind("@id"u8, out _) && !metadata.TryFind("@projection"u8, out _);

    private static JsonElement Part(JsonElement root, ReadOnlySpan<byte> name) => root.TryFind(name, out JsonElement part) ? part.Clone() : default;

    private QueryStatistics StatisticsOf(IndexQuery query, JsonElement root, ReadAnswer answer)
    {
        QueryStatistics statistics = StatisticsOf(root, answer);
        return !statistics.IsStale || Conventions.StaleQueries != StaleQueryMode.WaitOrThrow ? statistics : throw new StaleResultsException(
            $"The index '{statistics.IndexName}' has not read everything that was written within "
            + $"{query.WaitForNonStaleResultsTimeout ?? QueryBody.WaitDefault}, and StaleQueries of the conventions is "
            + $"{StaleQueryMode.WaitOrThrow}. Ask again later. The query is \"{query.Query}\".");
    }

    private QueryStatistics StatisticsOf(JsonElement root, ReadAnswer answer) => new()
    {
        IsStale = root.Flag("IsStale"u8),
        IndexWait = answer.IsFromCache ? default : answer.Answer?.IndexWait ?? default,
        DurationInMs = answer.IsFromCache ? -1 : root.Number("DurationInMs"u8) ?? 0,
        TotalResults = root.Number("TotalResults"u8) ?? 0,
        SkippedResults = root.Number("SkippedResults"u8) ?? 0,
        ScannedResults = root.Number("ScannedResults"u8),
        IndexName = root.Text("IndexName"u8),
        IndexTimestamp = root.Time("IndexTimestamp"u8),
        LastQueryTime = root.Time("LastQueryTime"u8),
        ResultEtag = root.Number("ResultEtag"u8),
        NodeTag = root.Text("NodeTag"u8),
        CacheHit = answer.IsFromCache,
        Timestamp = executor.Time.GetUtcNow().UtcDateTime,
    };
}
