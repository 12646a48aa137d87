using System.Text.Json;
using Jackdaw.Client.Serialization;
using Jackdaw.Client.Sessions.Tracking;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>Says in advance what a save would do.</summary>
internal sealed partial class SessionCore
{
    /// <summary>What a save would do, by the ids of documents; documents that get their id only by the save are under the empty id.</summary>
    public IReadOnlyDictionary<string, IReadOnlyList<DocumentsChanges>> WhatChanged()
    {
        var all = new Dictionary<string, IReadOnlyList<DocumentsChanges>>(StringComparer.OrdinalIgnoreCase);
        foreach ((TrackedDocument document, JsonElement text) in Changed())
        {
            string id = document.Id ?? "";
            all[id] = [.. all.GetValueOrDefault(id, []), .. ChangesOf(document, text)];
        }

        foreach ((string id, Deletion _) in _tracker.Deleted)
        {
            all[id] = [new DocumentsChanges(ChangeType.DocumentDeleted, "", "", null, null)];
        }

        return all;
    }

    /// <summary>What a save would change of the document of an entity.</summary>
    public IReadOnlyList<DocumentsChanges> WhatChangedFor(object entity)
    {
        ArgumentNullException.ThrowIfNull(entity);
        TrackedDocument document = Tracked(entity);
        return IsChanged(document, out JsonElement text) ? ChangesOf(document, text) : [];
    }

    /// <summary>Documents that the session has as entities or will delete.</summary>
    public IReadOnlyDictionary<string, TrackedEntity> GetTrackedEntities()
    {
        var all = new Dictionary<string, TrackedEntity>(StringComparer.OrdinalIgnoreCase);
        foreach (TrackedDocument document in _tracker.Documents.Where(document => !document.IsRevision))
        {
            all[document.Id ?? ""] = new TrackedEntity(document.Id ?? "", document.Entity, IsDeleted: false);
        }

        foreach ((string id, Deletion deletion) in _tracker.Deleted)
        {
            all[id] = new TrackedEntity(id, deletion.Document?.Entity, IsDeleted: true);
        }

        return all;
    }

    private static List<DocumentsChanges> ChangesOf(TrackedDocument document, JsonElement text)
    {
        if (document.IsNew)
        {
            return [new DocumentsChanges(ChangeType.DocumentAdded, "", "", null, null)];
        }

        List<DocumentsChanges> changes = [];
        DocumentDifference.Collect(document.Original, text, "", static member => !member.NameEquals(EntityConverter.MetadataName), changes);
        foreach ((string name, JsonElement? before, JsonElement? now) in document.Metadata.Changes())
        {
            ChangeType change = before is null ? ChangeType.NewField : now is null ? ChangeType.RemovedField : ChangeType.FieldChanged;
            changes.Add(new DocumentsChanges(change, name, "@metadata", before, now));
        }

        return changes;
    }
}
