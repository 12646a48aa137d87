using System.Text.Json;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>A document that a session knows, with its entity. The text that was read is parsed when it is needed.</summary>
internal sealed class TrackedDocument
{
    private StoredDocument? _read; // not parsed yet; null if it was parsed, or if there is none
    private JsonElement _original;
    private MetadataDictionary? _metadata;
    private StoredDocument? _found; // by a query, and its metadata is not read yet

    /// <summary>Null until the server has given it one.</summary>
    public string? Id { get; set; }

    public required object Entity { get; set; }

    /// <summary>The document on the server; undefined if there is none as far as the session knows.</summary>
    public JsonElement Original
    {
        get
        {
            if (_read is { } read)
            {
                (_read, _original) = (null, read.Parse());
            }

            return _original;
        }
    }

    /// <summary>Whether this session has written <see cref="Original"/>, so that it has exactly the form in which the entity would be written
    /// again.</summary>
    public bool IsWrittenHere { get; private set; }

    public MetadataDictionary Metadata
    {
        get
        {
            _metadata ??= ReadMetadata();
            if (_found is { } found)
            {
                _found = null;
                _metadata.ReadFound(StoredDocument.MetadataOf(found.Parse()));
            }

            return _metadata;
        }
    }

    /// <summary>Whether metadata was set since the document was read or saved.</summary>
    public bool IsMetadataChanged => _metadata?.IsChanged == true;

    /// <summary>Version that was read or written last; null for none.</summary>
    public string? ChangeVector { get; set; }

    /// <summary>Version that the next save expects, no matter what the session's setting says; null if none was given.</summary>
    public string? Demanded { get; set; }

    /// <summary>Whether this is a revision, which is never saved.</summary>
    public bool IsRevision { get; init; }

    /// <summary>Whether its changes are not saved.</summary>
    public bool IsIgnored { get; set; }

    public bool IsNew => _read is null && _original.ValueKind == JsonValueKind.Undefined;

    /// <summary>Notes that the document was read.</summary>
    public void SetRead(StoredDocument document)
    {
        (_read, _found) = (document, null);
        IsWrittenHere = false;
        ChangeVector = document.ChangeVector;
        _metadata?.Read(StoredDocument.MetadataOf(Original));
    }

    /// <summary>Notes that a query has found the document, whose score and distance are now those of this query. It is not a change.</summary>
    public void SetFound(StoredDocument answer) => _found = answer;

    /// <summary>Notes that the document was saved.</summary>
    /// <param name="text">Its members without metadata.</param>
    public void SetSaved(JsonElement text)
    {
        Metadata.SetUnchanged(); // also reads the metadata, before the text that it is read from is dropped
        (_read, _original, IsWrittenHere) = (null, text, true);
    }

    private MetadataDictionary ReadMetadata()
    {
        var metadata = new MetadataDictionary();
        if (Original.TryFind(EntityConverter.MetadataName, JsonValueKind.Object, out JsonElement read))
        {
            metadata.Read(read);
        }

        return metadata;
    }
}
