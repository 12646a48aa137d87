using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Indexing.Building;

/// <summary>How far an index has read. Written with each of its batches, in the same transaction, so that entries and progress always
/// belong together. Immutable.</summary>
/// <remarks>Collections are named by their keys, in lower case; the empty name stands for all documents.</remarks>
internal sealed class IndexProgress
{
    /// <summary>Name of the counters among the collections: no collection has it.</summary>
    public const string Counters = "\0counters";

    /// <summary>Nothing was read.</summary>
    public static readonly IndexProgress None = new([], [], Etag.None, Etag.None, null);

    private readonly Dictionary<string, Etag> _documents;
    private readonly Dictionary<string, Etag> _references;

    private IndexProgress(
        Dictionary<string, Etag> documents, Dictionary<string, Etag> references, Etag began, Etag passed, PendingReference? pending)
    {
        _documents = documents;
        _references = references;
        Began = began;
        Passed = passed;
        PendingReference = pending;
    }

    /// <summary>Whether no document was read yet.</summary>
    public bool IsNone => _documents.Count == 0;

    /// <summary>Last change of the database when the first batch began: what was deleted up to here was never in the index.</summary>
    public Etag Began { get; }

    /// <summary>Everything in the database up to here was read, or is of no concern.</summary>
    public Etag Passed { get; }

    /// <summary>Tombstones up to here are not needed.</summary>
    public Etag KnownDeletions => Passed.Value > Began.Value ? Passed : Began;

    /// <summary>Whether the index may hold what was deleted and forgotten: it has to be built again.</summary>
    /// <param name="trimmed">Tombstones up to here are gone.</param>
    public bool MissesDeletions(Etag trimmed) => !IsNone && trimmed.Value > KnownDeletions.Value;

    /// <summary>A changed document whose loaders were not all mapped again yet; null when there is none.</summary>
    public PendingReference? PendingReference { get; }

    /// <summary>The largest etag that was read; an index that is ahead of its documents has to begin anew.</summary>
    public Etag Last => new(_documents.Values.Concat(_references.Values).Select(etag => etag.Value).Append(Passed.Value).Max());

    /// <summary>Changes of a collection up to here are in the index.</summary>
    public Etag Of(string collection) => _documents.GetValueOrDefault(collection);

    /// <summary>Changes of a collection that is loaded from, up to here, are in the entries of who loaded them.</summary>
    public Etag OfReferences(string collection) => _references.GetValueOrDefault(collection);

    public IndexProgress With(string collection, Etag read) =>
        new(new(_documents) { [collection] = read }, _references, Began, Passed, PendingReference);

    public IndexProgress WithReferences(string collection, Etag read) =>
        new(_documents, new(_references) { [collection] = read }, Began, Passed, PendingReference);

    public IndexProgress WithBegan(Etag began) => new(_documents, _references, began, Passed, PendingReference);

    public IndexProgress WithPassed(Etag passed) => new(_documents, _references, Began, passed, PendingReference);

    public IndexProgress WithPendingReference(PendingReference? pending) => new(_documents, _references, Began, Passed, pending);

    /// <summary>The form in which it is stored: JSON.</summary>
    public byte[] ToBytes()
    {
        using var stream = new MemoryStream();
        using (var json = new Utf8JsonWriter(stream))
        {
            json.WriteStartObject();
            Write(json, "documents"u8, _documents);
            Write(json, "references"u8, _references);
            json.WriteNumber("began"u8, Began.Value);
            json.WriteNumber("passed"u8, Passed.Value);
            if (PendingReference is { } pending)
            {
                json.WriteBase64String("pending"u8, pending.Loaded);
                json.WriteBase64String("pending after"u8, pending.After);
                json.WriteString("pending collection"u8, pending.Collection);
                json.WriteNumber("pending etag"u8, pending.Etag.Value);
            }

            json.WriteEndObject();
        }

        return stream.ToArray();
    }

    /// <summary>Reads what <see cref="ToBytes"/> made; nothing stands for <see cref="None"/>.</summary>
    /// <exception cref="JsonException">It is damaged.</exception>
    public static IndexProgress Read(ReadOnlySpan<byte> stored)
    {
        if (stored.IsEmpty)
        {
            return None;
        }

        using var document = JsonDocument.Parse(stored.ToArray());
        JsonElement root = document.RootElement;
        return new IndexProgress(
            Read(root.GetProperty("documents"u8)),
            Read(root.GetProperty("references"u8)),
            root.TryGetProperty("began"u8, out JsonElement began) ? new Etag(began.GetInt64()) : Etag.None,
            new Etag(root.GetProperty("passed"u8).GetInt64()),
            root.TryGetProperty("pending"u8, out JsonElement pending)
                ? new PendingReference(
                    root.GetProperty("pending collection"u8).GetString()!,
                    new Etag(root.GetProperty("pending etag"u8).GetInt64()),
                    pending.GetBytesFromBase64(),
                    root.GetProperty("pending after"u8).GetBytesFromBase64())
                : null);
    }

    public override string ToString() => Encoding.UTF8.GetString(ToBytes());

    private static void Write(Utf8JsonWriter json, ReadOnlySpan<byte> name, Dictionary<string, Etag> etags)
    {
        json.WriteStartObject(name);
        foreach ((string collection, Etag etag) in etags)
        {
            json.WriteNumber(collection, etag.Value);
        }

        json.WriteEndObject();
    }

    private static Dictionary<string, Etag> Read(JsonElement etags) =>
        etags.EnumerateObject().ToDictionary(member => member.Name, member => new Etag(member.Value.GetInt64()));
}

/// <summary>How far the documents that loaded a changed one were mapped again.</summary>
/// <param name="Collection">Key of the collection whose change is followed; empty: all documents.</param>
/// <param name="Etag">Of the change. The collection is followed up to it when all loaders are mapped.</param>
/// <param name="Loaded">Key of the changed document.</param>
/// <param name="After">Key of the last loader that was mapped.</param>
internal sealed record PendingReference(string Collection, Etag Etag, byte[] Loaded, byte[] After);
