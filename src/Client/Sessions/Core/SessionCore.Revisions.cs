using System.Globalization;
using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>Revisions, which are versions of documents that the server has kept. Their objects are known with their metadata, and never
/// saved.</summary>
internal sealed partial class SessionCore
{
    // Revisions that were included with documents, by their change vector, and by the document and the time.
    private Dictionary<string, JsonElement> Revisions => field ??= new(StringComparer.Ordinal);

    private Dictionary<(string Id, DateTime Before), JsonElement> RevisionsBefore => field ??= [];

    // Documents for which the next save forces a revision.
    private HashSet<string> Forced => field ??= new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Revisions of a document, the newest first.</summary>
    public async ValueTask<List<T>> GetRevisionsAsync<T>(string id, int start, int pageSize, bool isAsync, CancellationToken token)
    {
        using SessionUse.Scope use = BeginRevisions("GetFor", id);
        JsonElement[] found = await AskRevisionsAsync(ListPath(id, start, pageSize, ""), id, isAsync, token).ConfigureAwait(false);
        return [.. found.Select(revision => TakeRevision<T>(revision)!)];
    }

    /// <summary>Metadata of revisions of a document, the newest first.</summary>
    public async ValueTask<List<MetadataDictionary>> GetRevisionsMetadataAsync(string id, int start, int pageSize, bool isAsync, CancellationToken token)
    {
        using SessionUse.Scope use = BeginRevisions("GetMetadataFor", id);
        JsonElement[] found = await AskRevisionsAsync(ListPath(id, start, pageSize, "&metadataOnly=true"), id, isAsync, token).ConfigureAwait(false);
        return [.. found.Select(revision =>
        {
            var metadata = new MetadataDictionary();
            metadata.Read(StoredDocument.MetadataOf(revision));
            return metadata;
        })];
    }

    /// <summary>Revisions by their change vectors.</summary>
    /// <returns>Each requested revision, with null for those that do not exist.</returns>
    public async ValueTask<Dictionary<string, T?>> GetRevisionsAsync<T>(IEnumerable<string> changeVectors, bool isAsync, CancellationToken token)
    {
        string[] all = [.. changeVectors.Where(vector => !string.IsNullOrEmpty(vector)).Distinct(StringComparer.Ordinal)];
        using SessionUse.Scope use = _use.Begin($"Revisions.Get({all.Length} change vectors)");
        string[] unknown = [.. all.Where(vector => !Revisions.ContainsKey(vector))];
        Dictionary<string, JsonElement> found = new(Revisions, StringComparer.Ordinal);
        if (unknown.Length > 0)
        {
            string path = "revisions?" + string.Join('&', unknown.Select(vector => $"changeVector={Uri.EscapeDataString(vector)}"));
            JsonElement[] answer = await AskRevisionsAsync(path, null, isAsync, token).ConfigureAwait(false);
            for (int i = 0; i < Math.Min(answer.Length, unknown.Length); i++)
            {
                found[unknown[i]] = answer[i];
            }
        }

        return all.ToDictionary(vector => vector, vector => TakeRevision<T>(found.GetValueOrDefault(vector)), StringComparer.Ordinal);
    }

    /// <summary>The revision that was current at a time; null if there was none.</summary>
    public async ValueTask<T?> GetRevisionAsync<T>(string id, DateTime before, bool isAsync, CancellationToken token)
    {
        using SessionUse.Scope use = BeginRevisions("Get", id);
        before = before.ToUniversalTime();
        if (RevisionsBefore.TryGetValue((id.ToUpperInvariant(), before), out JsonElement included))
        {
            return TakeRevision<T>(included);
        }

        string time = before.ToString("yyyy-MM-ddTHH:mm:ss.fffffffZ", CultureInfo.InvariantCulture);
        string path = $"revisions?id={Uri.EscapeDataString(id)}&before={Uri.EscapeDataString(time)}";
        return await AskRevisionsAsync(path, id, isAsync, token).ConfigureAwait(false) is [var found, ..] ? TakeRevision<T>(found) : default;
    }

    /// <summary>How many revisions of a document there are.</summary>
    public async ValueTask<long> CountRevisionsAsync(string id, bool isAsync, CancellationToken token)
    {
        using SessionUse.Scope use = BeginRevisions("GetCountFor", id);
        var message = new RequestMessage { Method = HttpMethod.Get, Path = $"revisions/count?id={Uri.EscapeDataString(id)}", IsRead = true };
        CountRequest(message);
        using JsonDocument? json = Parse(await executor.SendAsync(message, isAsync, token).ConfigureAwait(false));
        return json?.RootElement.Number("RevisionsCount"u8) ?? 0;
    }

    /// <summary>Lets the next save keep a revision of the stored document.</summary>
    public void ForceRevision(string id)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        Forced.Add(id);
    }

    /// <summary>Like <see cref="ForceRevision(string)"/>, for the document of an entity.</summary>
    public void ForceRevision(object entity)
    {
        TrackedDocument document = Own(entity);
        if (document.IsNew)
        {
            throw new InvalidOperationException("This object was never saved, so there is nothing yet that a revision could keep.");
        }

        Forced.Add(document.Id!);
    }

    private SessionUse.Scope BeginRevisions(string call, string id)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        return _use.Begin($"Revisions.{call}(\"{id}\")");
    }

    private static string ListPath(string id, int start, int pageSize, string more) =>
        string.Create(CultureInfo.InvariantCulture, $"revisions?id={Uri.EscapeDataString(id)}&start={start}&pageSize={pageSize}{more}");

    /// <param name="id">Id of the document that the answer depends on; null if it is not known.</param>
    private async ValueTask<JsonElement[]> AskRevisionsAsync(string path, string? id, bool isAsync, CancellationToken token)
    {
        ReadAnswer answer = await ReadAsync(
            new RequestMessage { Method = HttpMethod.Get, Path = path, IsRead = true },
            (_, tags) =>
            {
                if (id is null)
                {
                    tags.AddAnything();
                }
                else
                {
                    tags.AddDocument(id);
                }
            },
            isAsync,
            token).ConfigureAwait(false);
        using JsonDocument? json = Parse(answer.Answer);
        return json is null ? [] : [.. json.RootElement.RequiredList("Results"u8).EnumerateArray().Select(revision => revision.Clone())];
    }

    private T? TakeRevision<T>(JsonElement revision) => revision.ValueKind != JsonValueKind.Object
        ? default
        : (T?)(settings.IsTracking ? _tracker.TakeRevision(typeof(T), StoredDocument.Of(revision)) : Untracked(typeof(T), revision));

    private void TakeIncludedRevisions(JsonElement answer)
    {
        foreach (JsonElement include in answer.Elements("RevisionIncludes"u8))
        {
            if (include.TryFind("Revision"u8, JsonValueKind.Object, out JsonElement revision) && include.Text("ChangeVector"u8) is { } vector)
            {
                Revisions[vector] = revision.Clone();
                if (include.Text("Id"u8) is { } id && include.Time("Before"u8) is var before && before != default)
                {
                    RevisionsBefore[(id.ToUpperInvariant(), before.ToUniversalTime())] = Revisions[vector];
                }
            }
        }
    }
}
