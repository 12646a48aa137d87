using System.Buffers;
using System.Net.Http.Headers;
using System.Text.Encodings.Web;
using System.Text.Json;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>The commands of one save, as the server reads them, and what is done with each result.</summary>
internal sealed class SaveBatch
{
    private static readonly JsonWriterOptions s_options = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly ArrayBufferWriter<byte> _body = new(1024);
    private readonly Utf8JsonWriter _json;
    private readonly bool _isClusterWide;
    private readonly List<Action<JsonElement, DocumentTracker>> _confirm = [];
    private readonly HashSet<string> _ids = new(StringComparer.OrdinalIgnoreCase);
    private readonly HashSet<string> _collections = new(StringComparer.OrdinalIgnoreCase);
    private readonly List<(Stream Stream, long? Start)> _streams = [];
    private readonly List<string> _keys = [];
    private readonly List<TrackedDocument> _saved = [];

    // A written document has an id or a collection that only the server knows.
    private bool _hasUnknownId;
    private bool _hasUnknownCollection;

    public SaveBatch(bool isClusterWide)
    {
        _isClusterWide = isClusterWide;
        _json = new Utf8JsonWriter(_body, s_options);
        _json.WriteStartObject();
        _json.WriteStartArray("Commands"u8);
    }

    /// <summary>Commands.</summary>
    public int Count => _confirm.Count;

    public ReadOnlyMemory<byte> Body => _body.WrittenMemory;

    /// <summary>The body, if there are attachments; null without them.</summary>
    public Func<HttpContent>? Content => _streams.Count == 0 ? null : MakeMultipart;

    /// <summary>What the batch writes. The ids or the collections are empty when not all of them are known before the server answers.</summary>
    public (string[] Ids, string[] Collections) Touched() => (_hasUnknownId ? [] : [.. _ids], _hasUnknownCollection ? [] : [.. _collections]);

    /// <param name="expected">Version that is expected; empty if no document may exist; null for any.</param>
    /// <param name="original">Version that was read, or that of a guard; null for none.</param>
    /// <param name="isRevised">Whether a revision of the stored document is kept.</param>
    public void AddPut(TrackedDocument document, JsonElement text, string? expected, string? original, bool isRevised)
    {
        _json.WriteStartObject();
        _json.WriteString("Type"u8, "PUT"u8);
        _json.WriteString("Id"u8, document.Id);
        if (expected is not null)
        {
            _json.WriteString("ChangeVector"u8, expected);
        }

        if (original is not null)
        {
            _json.WriteString("OriginalChangeVector"u8, original);
        }

        if (isRevised)
        {
            _json.WriteString("ForceRevisionCreationStrategy"u8, "Before"u8);
        }

        _json.WriteStartObject("Document"u8);
        foreach (JsonProperty member in text.EnumerateObject())
        {
            member.WriteTo(_json);
        }

        document.Metadata.Write(_json);
        _json.WriteEndObject();
        _json.WriteEndObject();
        _hasUnknownId |= document.Id is null or "" || document.Id[^1] is '/' or '|';
        Touch(document.Id, document.Metadata.GetString("@collection"));
        _saved.Add(document);
        _confirm.Add((result, tracker) => tracker.SetSaved(
            document, result.Text("@id"u8) ?? document.Id!, result.Text("@change-vector"u8) ?? "", text, result));
    }

    public void AddDelete(string id, Deletion deletion)
    {
        _json.WriteStartObject();
        _json.WriteString("Type"u8, "DELETE"u8);
        _json.WriteString("Id"u8, id);
        if (deletion.Expected is { } expected)
        {
            _json.WriteString("ChangeVector"u8, expected);
        }

        if (_isClusterWide && deletion.Original is { } original)
        {
            _json.WriteString("OriginalChangeVector"u8, original);
        }

        _json.WriteEndObject();
        Touch(id, null);
        _confirm.Add((_, tracker) => tracker.SetDeleted(id));
    }

    /// <param name="isTracked">Whether the session has the document as an object, so that it needs the result.</param>
    public void AddDeferred(DeferredCommand command, bool isTracked)
    {
        _json.WriteStartObject();
        _json.WriteString("Type"u8, command.Type);
        _json.WriteString("Id"u8, command.Id);
        command.Write(_json);
        if (isTracked && command.Type == "PATCH")
        {
            _json.WriteBoolean("ReturnDocument"u8, true);
        }

        _json.WriteEndObject();
        _hasUnknownId |= command.TouchesOthers;
        Touch(command.Id, null);
        if (command.Stream is { } stream)
        {
            _streams.Add((stream, command.Start));
        }

        _confirm.Add((result, tracker) => tracker.SetChanged(command.Id, result));
    }

    /// <summary>Adds a command that keeps a revision of the stored document, and does nothing else to the document.</summary>
    public void AddRevision(string id)
    {
        _json.WriteStartObject();
        _json.WriteString("Type"u8, "ForceRevisionCreation"u8);
        _json.WriteString("Id"u8, id);
        _json.WriteEndObject();
        Touch(id, null);
        _confirm.Add((result, tracker) =>
        {
            if (tracker.Find(id) is { } document && result.Text("@change-vector"u8) is { } vector)
            {
                tracker.SetVersion(document, vector, result);
            }
        });
    }

    /// <param name="value">The value, with what is stored for it.</param>
    public void AddValue(TrackedValue value, JsonElement text)
    {
        _json.WriteStartObject();
        _json.WriteString("Type"u8, value.IsDeleted ? "CompareExchangeDELETE"u8 : "CompareExchangePUT"u8);
        _json.WriteString("Id"u8, value.Key);
        _json.WriteNumber("Index"u8, value.Index);
        if (!value.IsDeleted)
        {
            _json.WritePropertyName("Document"u8);
            text.WriteTo(_json);
        }

        _json.WriteEndObject();
        _keys.Add(value.Key);
        _confirm.Add((result, _) => value.SetSaved(result.Number("Index"u8) ?? 0, text));
    }

    /// <summary>Documents that the batch stores.</summary>
    public IReadOnlyList<TrackedDocument> Saved => _saved;

    /// <summary>Keys of compare exchange values that the batch writes.</summary>
    public IReadOnlyList<string> Keys => _keys;

    /// <summary>Ends the batch after the last command.</summary>
    public void End()
    {
        _json.WriteEndArray();
        if (_isClusterWide)
        {
            _json.WriteString("TransactionMode"u8, "ClusterWide"u8);
        }

        _json.WriteEndObject();
        _json.Flush();
    }

    public void Confirm(int command, JsonElement result, DocumentTracker tracker)
    {
        if (result.ValueKind != JsonValueKind.Object)
        {
            throw new BadResponseException("The result of a command is not an object.");
        }

        _confirm[command](result, tracker);
    }

    private void Touch(string? id, string? collection)
    {
        if (id is not null)
        {
            _ids.Add(id);
        }

        if (collection is not null)
        {
            _collections.Add(collection);
        }
        else
        {
            _hasUnknownCollection = true;
        }
    }

    // Streams are read while they are sent, and are never in memory as a whole.
    private MultipartContent MakeMultipart()
    {
        var content = new MultipartContent("mixed");
        var main = new ReadOnlyMemoryContent(_body.WrittenMemory);
        main.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        content.Add(main);
        foreach ((Stream stream, long? start) in _streams)
        {
            var part = new OpenStreamContent(stream, start);
            part.Headers.TryAddWithoutValidation("Command-Type", "AttachmentStream");
            content.Add(part);
        }

        return content;
    }
}

/// <summary>A command of the next save that writes no entity: a patch, an attachment, counters.</summary>
/// <param name="Type">Name of its kind.</param>
/// <param name="Id">Of the document.</param>
/// <param name="Write">Writes its other members.</param>
internal sealed record DeferredCommand(string Type, string Id, Action<Utf8JsonWriter> Write)
{
    /// <summary>Content of an attachment.</summary>
    public Stream? Stream
    {
        get;
        init => (field, Start) = (value, value is { CanSeek: true } ? value.Position : null);
    }

    /// <summary>Its position when it was given; null if it cannot seek.</summary>
    public long? Start { get; private init; }

    /// <summary>Whether it may write other documents than that of its id.</summary>
    public bool TouchesOthers { get; init; }
}
