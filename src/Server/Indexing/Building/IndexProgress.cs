using System.Text;
using System.Text.Json;
using Jackdaw.Server.Documents.Identity;

namespace Jackdaw.Server.Indexing.Building;

/// <summary>How far an index has read. Written with each of its batches, in the same transaction, so that entries and progress always
/// belong together. Immutable.</summary>
/// <remarks>Collections are named by their keys, in lower case; the empty name stands for all documents.</remarks>
internal sealed class IndexProgress
{
    /// <summary>Nothing was read.</summary>
    public static readonly IndexProgress None = new([], [], Etag.None);

    private readonly Dictionary<string, Etag> _documents;
    private readonly Dictionary<string, Etag> _references;

    private IndexProgress(Dictionary<string, Etag> documents, Dictionary<string, Etag> references, Etag passed)
    {
        _documents = documents;
        _references = references;
        Passed = passed;
    }

    /// <summary>Whether no document was read yet.</summary>
    public bool IsNone => _documents.Count == 0;

    /// <summary>Everything in the database up to here was read, or is of no concern: tombstones up to here are not needed.</summary>
    public Etag Passed { get; }

    /// <summary>The largest etag that was read; an index that is ahead of its documents has to begin anew.</summary>
    public Etag Last => new(_documents.Values.Concat(_references.Values).Select(etag => etag.Value).Append(Passed.Value).Max());

    /// <summary>Changes of a collection up to here are in the index.</summary>
    public Etag Of(string collection) => _documents.GetValueOrDefault(collection);

    /// <summary>Changes of a collection that is loaded from, up to here, are in the entries of who loaded them.</summary>
    public Etag OfReferences(string collection) => _references.GetValueOrDefault(collection);

    public IndexProgress With(string collection, Etag read) => new(new(_documents) { [collection] = read }, _references, Passed);

    public IndexProgress WithReferences(string collection, Etag read) => new(_documents, new(_references) { [collection] = read }, Passed);

    public IndexProgress WithPassed(Etag passed) => new(_documents, _references, passed);

    /// <summary>The form in which it is stored: JSON.</summary>
    public byte[] ToBytes()
    {
        using var stream = new MemoryStream();
        using (var json = new Utf8JsonWriter(stream))
        {
            json.WriteStartObject();
            Write(json, "documents"u8, _documents);
            Write(json, "references"u8, _references);
            json.WriteNumber("passed"u8, Passed.Value);
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
            Read(root.GetProperty("documents"u8)), Read(root.GetProperty("references"u8)), new Etag(root.GetProperty("passed"u8).GetInt64()));
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
