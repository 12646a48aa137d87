using System.Text.Json;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>What the answers to saves say about documents.</summary>
internal sealed partial class DocumentTracker
{
    /// <summary>Takes the answer to a save: a document is stored as it was sent.</summary>
    public void SetSaved(TrackedDocument document, string id, string changeVector, JsonElement stored, JsonElement answer)
    {
        document.Id = id;
        document.Demanded = null;
        document.SetSaved(stored);
        SetVersion(document, changeVector, answer);
        _documents.Set(id, document);
        _missing?.Remove(id);
        _guards?.Remove(id);
        converter.SetId(document.Entity, id);
    }

    /// <summary>Takes the answer to a save that has given a document another version.</summary>
    public void SetVersion(TrackedDocument document, string changeVector, JsonElement answer)
    {
        document.ChangeVector = changeVector;
        converter.SetVersion(document.Entity, changeVector);
        foreach ((string name, JsonElement value) in answer.Members())
        {
            if (name != "Type" && value.ValueKind == JsonValueKind.String)
            {
                document.Metadata.Set(name, value.RequiredText());
            }
        }
    }

    /// <summary>Notes that a command that is not a save of an entity has changed a document.</summary>
    /// <param name="answer">Its result. If the session has the document as an object, the object gets the values of the changed document.</param>
    public void SetChanged(string id, JsonElement answer)
    {
        _missing?.Remove(id);
        _included?.Remove(id);
        if (Find(id) is not { } document)
        {
            return;
        }

        string? changeVector = answer.Text("DocumentChangeVector"u8) ?? answer.Text("ChangeVector"u8);
        if (answer.TryFind("ModifiedDocument"u8, JsonValueKind.Object, out JsonElement changed))
        {
            Refill(document, StoredDocument.Of(changed, document.Id ?? id, changeVector ?? document.ChangeVector));
        }

        bool isOfDocument = answer.TryFind("DocumentChangeVector"u8, out _) || changed.ValueKind == JsonValueKind.Object;
        if (isOfDocument && changeVector is not null)
        {
            SetVersion(document, changeVector, default);
            document.Metadata.Set("@id", document.Id);
            document.Metadata.Set("@change-vector", changeVector);
            document.Metadata.Set("@last-modified", answer.Text("LastModified"u8) ?? document.Metadata.GetString("@last-modified"));
        }
    }

    /// <summary>Gives the object of a document the values of its stored document.</summary>
    /// <exception cref="NotSupportedException">They cannot be set.</exception>
    public void Refill(TrackedDocument document, StoredDocument stored)
    {
        object entity = document.Entity;
        converter.CopyTo(entity, () => Read(entity.GetType(), stored));
        document.SetRead(stored);
    }

    public void SetDeleted(string id)
    {
        _deleted?.Remove(id);
        _included?.Remove(id);
        _guards?.Remove(id);
        (_missing ??= new(StringComparer.OrdinalIgnoreCase)).Add(id);
    }
}
