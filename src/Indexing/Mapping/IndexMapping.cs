using System.Buffers;
using System.Runtime.InteropServices;
using System.Text.Encodings.Web;
using System.Text.Json;
using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Indexing.Sources;

namespace Jackdaw.Indexing.Mapping;

/// <summary>How an index makes rows of documents, in any language. Any thread may begin runs; a run belongs to one thread.</summary>
internal abstract class IndexMapping : IDisposable
{
    /// <summary>What it reads.</summary>
    public abstract IndexSources Sources { get; }

    /// <summary>Whether mapped rows are grouped, so that there is an entry for each group.</summary>
    public abstract bool HasReduce { get; }

    /// <summary>Whether a row without any value becomes an entry, as a query needs that only wants the documents.</summary>
    public virtual bool IndexesEmptyEntries => false;

    /// <summary>Whether a value that is not what its field is for is left out and noted. Otherwise the document has no entries until it is corrected, because
    /// the author of the definition decides what a document means. The queries that make an index of their own know nothing of one another.</summary>
    public virtual bool LeavesOutValues => false;

    /// <summary>Whether documents are mapped with all metadata that the server keeps, such as the time of the last write, in their text.</summary>
    public virtual bool ReadsKeptMetadata => false;

    /// <summary>Names of the fields that all entries can have; others may be computed. Empty if they are not known.</summary>
    public virtual IReadOnlyList<string> Fields => [];

    /// <summary>Whether entries may have fields beside <see cref="Fields"/>.</summary>
    public virtual bool HasComputedFields => true;

    /// <summary>Begins a run.</summary>
    /// <param name="loader">Reads documents that the mapping asks for.</param>
    public abstract MappingRun BeginRun(IDocumentLoader loader);

    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    protected virtual void Dispose(bool isDisposing)
    {
    }
}

/// <summary>Maps documents one after another, and reduces groups. One thread.</summary>
internal abstract class MappingRun : IDisposable
{
    /// <summary>The row that <see cref="MoveNext"/> found: valid until the next one.</summary>
    public abstract MappedEntry Current { get; }

    /// <summary>The documents that were loaded for the document, including missing ones.</summary>
    public abstract IReadOnlyList<DocumentReference> References { get; }

    /// <summary>Begins a document.</summary>
    /// <param name="json">Its body, or what <see cref="ItemCursor.Json"/> shows of one of its items.</param>
    public abstract void Begin(ReadOnlySpan<byte> json, in DocumentOrigin origin);

    /// <summary>Finds the next row of the document.</summary>
    /// <exception cref="Definitions.Running.MapFailedException">The mapping failed for this document.</exception>
    public abstract bool MoveNext();

    /// <summary>The current row as a JSON object, for storing it until its group is reduced.</summary>
    public abstract byte[] WriteRow();

    /// <summary>The key of a stored row: rows with equal keys are one group.</summary>
    public abstract string KeyOf(ReadOnlyMemory<byte> row);

    /// <summary>Reduces stored rows of one group to one; null when the group has none.</summary>
    /// <exception cref="Definitions.Running.MapFailedException">The mapping failed for this group.</exception>
    public abstract byte[]? Reduce(IReadOnlyList<ReadOnlyMemory<byte>> rows);

    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    protected abstract void Dispose(bool isDisposing);
}

/// <summary>A row: the fields of one entry. The object is reused for the next row.</summary>
internal sealed class MappedEntry
{
    private static readonly JsonWriterOptions s_writing = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly List<MappedField> _fields = [];

    /// <summary>The fields, valid until the row changes.</summary>
    public ReadOnlySpan<MappedField> Fields => CollectionsMarshal.AsSpan(_fields);

    /// <summary>Factor of the relevance of the entry.</summary>
    public float Boost { get; private set; } = 1;

    public void Reset(float boost = 1)
    {
        _fields.Clear();
        Boost = boost;
    }

    public void Add(string name, Value value) => _fields.Add(new MappedField(name, value, null));

    /// <summary>The fields that are not missing as a JSON object.</summary>
    public byte[] ToJson()
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer, s_writing))
        {
            json.WriteStartObject();
            foreach (MappedField field in _fields.Where(field => !field.Value.IsMissing))
            {
                json.WritePropertyName(field.Name);
                field.Value.Unboosted().WriteTo(json);
            }

            json.WriteEndObject();
        }

        return buffer.WrittenSpan.ToArray();
    }

    /// <summary>Adds a field whose name and options the definition computed.</summary>
    public void Add(DynamicField field) => _fields.Add(new MappedField(field.Name, field.Value, field));
}

/// <param name="Options">The options of a field whose name the definition computed; null for all other fields.</param>
internal readonly record struct MappedField(string Name, Value Value, DynamicField? Options);
