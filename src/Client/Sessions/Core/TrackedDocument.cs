using System.Text.Json;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>A document that a session knows, with its entity. What was read is parsed when somebody wants to know it.</summary>
internal sealed class TrackedDocument
{
    private StoredDocument? _read; // not parsed yet; null: it was, or there is none
    private JsonElement _original;
    private MetadataDictionary? _metadata;

    /// <summary>Null until the server has given it one.</summary>
    public string? Id { get; set; }

    public required object Entity { get; init; }

    /// <summary>As the server has it; undefined: it has none as far as the session knows.</summary>
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

    /// <summary>Whether <see cref="Original"/> was written by this session: in just the form that the entity would have again.</summary>
    public bool IsWrittenHere { get; private set; }

    public MetadataDictionary Metadata => _metadata ??= ReadMetadata();

    /// <summary>Whether metadata was set since the document was read or saved.</summary>
    public bool IsMetadataChanged => _metadata?.IsChanged == true;

    /// <summary>Version that was read or written last; null: none.</summary>
    public string? ChangeVector { get; set; }

    /// <summary>Version that the next save demands, whatever the session's setting says; null: none was given.</summary>
    public string? Demanded { get; set; }

    /// <summary>A version that was: never saved.</summary>
    public bool IsRevision { get; init; }

    /// <summary>Whether changes of it are not saved.</summary>
    public bool IsIgnored { get; set; }

    public bool IsNew => _read is null && _original.ValueKind == JsonValueKind.Undefined;

    /// <summary>The document was read.</summary>
    public void SetRead(StoredDocument document)
    {
        _read = document;
        IsWrittenHere = false;
        ChangeVector = document.ChangeVector;
        _metadata?.Read(StoredDocument.MetadataOf(Original));
    }

    /// <summary>The document was saved.</summary>
    /// <param name="text">Its members without metadata.</param>
    public void SetSaved(JsonElement text)
    {
        Metadata.SetUnchanged(); // also reads it, before what it is read from goes
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
