using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Identity;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Sources;

namespace Jackdaw.Indexing.Building;

/// <summary>How far an index has read. It is written with each batch in the same transaction, so that entries and progress always
/// fit together. Immutable.</summary>
/// <remarks>Format version 2 had names of collections instead of <see cref="IndexSource.Key"/>, and other members. It is still read.</remarks>
internal sealed class IndexProgress
{
    /// <summary>Nothing was read.</summary>
    public static readonly IndexProgress None = new([], [], Etag.None, Etag.None, null);

    private readonly Dictionary<string, Etag> _mapped; // by keys of sources
    private readonly Dictionary<string, Etag> _loaded;

    private IndexProgress(
        Dictionary<string, Etag> mapped, Dictionary<string, Etag> loaded, Etag began, Etag passed, PendingReference? pending)
    {
        _mapped = mapped;
        _loaded = loaded;
        Began = began;
        Passed = passed;
        PendingReference = pending;
    }

    /// <summary>Whether no document was read yet.</summary>
    public bool IsNone => _mapped.Count == 0;

    /// <summary>The last change of the database when the first batch began. What was deleted up to here was never in the index.</summary>
    public Etag Began { get; }

    /// <summary>Every change of the database up to here was read, or does not concern the index.</summary>
    public Etag Passed { get; }

    /// <summary>The index does not need tombstones up to here.</summary>
    public Etag KnownDeletions => Passed.Value > Began.Value ? Passed : Began;

    /// <summary>Whether the index may still have documents whose deletion was forgotten. Then it has to be built again.</summary>
    /// <param name="trimmed">Tombstones up to here were removed.</param>
    public bool MissesDeletions(Etag trimmed) => !IsNone && trimmed.Value > KnownDeletions.Value;

    /// <summary>A changed document that was loaded by documents which are not all mapped again yet; null if there is none.</summary>
    public PendingReference? PendingReference { get; }

    /// <summary>The largest etag that was read. An index that is ahead of its documents has to begin anew.</summary>
    public Etag Last => new(_mapped.Values.Concat(_loaded.Values).Select(etag => etag.Value).Append(Passed.Value).Max());

    /// <summary>Changes of a source that is mapped are in the index up to here.</summary>
    public Etag OfMapped(IndexSource source) => _mapped.GetValueOrDefault(source.Key);

    /// <summary>Changes of a source that is loaded from are in the entries of the documents that loaded them, up to here.</summary>
    public Etag OfLoaded(IndexSource source) => _loaded.GetValueOrDefault(source.Key);

    public IndexProgress WithMapped(IndexSource source, Etag read) =>
        new(new(_mapped) { [source.Key] = read }, _loaded, Began, Passed, PendingReference);

    public IndexProgress WithLoaded(IndexSource source, Etag read) => WithLoaded(source.Key, read, PendingReference);

    public IndexProgress WithBegan(Etag began) => new(_mapped, _loaded, began, Passed, PendingReference);

    public IndexProgress WithPassed(Etag passed) => new(_mapped, _loaded, Began, passed, PendingReference);

    public IndexProgress WithPendingReference(PendingReference pending) => new(_mapped, _loaded, Began, Passed, pending);

    /// <summary>Notes that all documents that loaded a changed one were mapped again.</summary>
    public IndexProgress WithFollowed(PendingReference change) => WithLoaded(change.Source, change.Etag, null);

    /// <summary>The form in which it is stored: JSON.</summary>
    public byte[] ToBytes()
    {
        using var stream = new MemoryStream();
        using (var json = new Utf8JsonWriter(stream))
        {
            json.WriteStartObject();
            Write(json, "mapped"u8, _mapped);
            Write(json, "loaded"u8, _loaded);
            json.WriteNumber("began"u8, Began.Value);
            json.WriteNumber("passed"u8, Passed.Value);
            if (PendingReference is { } pending)
            {
                json.WriteBase64String("pending"u8, pending.Loaded);
                json.WriteBase64String("pending after"u8, pending.After);
                json.WriteString("pending source"u8, pending.Source);
                json.WriteNumber("pending etag"u8, pending.Etag.Value);
            }

            json.WriteEndObject();
        }

        return stream.ToArray();
    }

    /// <summary>Reads what <see cref="ToBytes"/> made; no bytes mean <see cref="None"/>.</summary>
    /// <param name="sources">The sources of the index.</param>
    /// <exception cref="JsonException">The bytes are damaged.</exception>
    /// <exception cref="IndexDefinitionException">They name a source that this program does not know.</exception>
    public static IndexProgress Read(ReadOnlySpan<byte> stored, IndexSources sources)
    {
        if (stored.IsEmpty)
        {
            return None;
        }

        using var document = JsonDocument.Parse(stored.ToArray());
        JsonElement root = document.RootElement;
        bool isOld = root.TryGetProperty("documents"u8, out JsonElement documents);
        var read = new IndexProgress(
            isOld ? ReadOld(documents) : Read(root.GetProperty("mapped"u8)),
            isOld ? ReadOld(root.GetProperty("references"u8)) : Read(root.GetProperty("loaded"u8)),
            root.TryGetProperty("began"u8, out JsonElement began) ? new Etag(began.GetInt64()) : Etag.None,
            new Etag(root.GetProperty("passed"u8).GetInt64()),
            root.TryGetProperty("pending"u8, out JsonElement pending)
                ? new PendingReference(
                    isOld ? KeyOfOld(root.GetProperty("pending collection"u8).GetString()!) : root.GetProperty("pending source"u8).GetString()!,
                    new Etag(root.GetProperty("pending etag"u8).GetInt64()),
                    pending.GetBytesFromBase64(),
                    root.GetProperty("pending after"u8).GetBytesFromBase64())
                : null);
        read.RequireKnown(sources);
        return read;
    }

    public override string ToString() => Encoding.UTF8.GetString(ToBytes());

    private IndexProgress WithLoaded(string key, Etag read, PendingReference? pending) =>
        new(_mapped, new(_loaded) { [key] = read }, Began, Passed, pending);

    // Changes of an unknown source would never reach the index.
    private void RequireKnown(IndexSources sources)
    {
        IEnumerable<string> known = sources.Mapped.Concat(sources.Loaded).Select(source => source.Key);
        if (_mapped.Keys.Concat(_loaded.Keys).Except(known).FirstOrDefault(key => !KnownSources.Default.Have(key)) is { } unknown)
        {
            throw new IndexDefinitionException($"It reads '{KnownSources.KindOf(unknown)}', a source that this version of jackdaw does not know. "
                + "A newer version built it: start that one, or reset the index.");
        }
    }

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

    private static Dictionary<string, Etag> ReadOld(JsonElement etags) => Read(etags).ToDictionary(one => KeyOfOld(one.Key), one => one.Value);

    private static string KeyOfOld(string name) => name switch
    {
        "\0counters" => "counters",
        "\0values" => "values",
        _ => CollectionSource.KeyOf(name),
    };
}

/// <summary>How many of the documents that loaded a changed one were mapped again.</summary>
/// <param name="Source">Key of the source whose change is followed.</param>
/// <param name="Etag">Of the change. The source is followed up to it when all loaders are mapped.</param>
/// <param name="Loaded">Key of the changed document, as <see cref="SourceCursor.Key"/>.</param>
/// <param name="After">Key of the last loader that was mapped.</param>
internal sealed record PendingReference(string Source, Etag Etag, byte[] Loaded, byte[] After);
