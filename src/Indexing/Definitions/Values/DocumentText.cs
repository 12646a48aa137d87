using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json.Tape;

namespace Jackdaw.Indexing.Definitions.Values;

/// <summary>The text of one document with its tape. Values of the document point into it.</summary>
/// <remarks>One thread. Its memory is reused: values are valid until the next document is read into it.</remarks>
internal sealed class DocumentText : IDisposable
{
    /// <summary>Largest buffer that is reused for the next document, in bytes. Usual documents fit, and the memory of a large one is not
    /// held for the life of an index.</summary>
    private const int CachedBytesMax = 256 * 1024;

    private readonly JsonTape _tape = new();
    private byte[] _bytes = [];
    private int _length;

    public DocumentOrigin Origin { get; private set; }

    public string Id => Origin.Id;

    /// <summary>Bytes of the text.</summary>
    public int Length => _length;

    /// <summary>Copies and reads a document.</summary>
    /// <param name="json">One JSON object.</param>
    /// <param name="origin">What the server knows about it.</param>
    /// <returns>The document.</returns>
    public Value Read(ReadOnlySpan<byte> json, in DocumentOrigin origin)
    {
        if (_bytes.Length < json.Length || (_bytes.Length > CachedBytesMax && json.Length <= CachedBytesMax))
        {
            _bytes = new byte[Math.Max(json.Length, 1024)];
        }

        json.CopyTo(_bytes);
        _length = json.Length;
        Origin = origin;
        _tape.Read(_bytes.AsSpan(0, _length));
        return Value.FromTape(this, 0);
    }

    /// <summary>A value of this document, or one that was computed from it, which is copied.</summary>
    public Value ValueOf(TapeValue value)
    {
        if (value.IsOf(_tape))
        {
            return Value.FromTape(this, value.Index);
        }

        switch (value.Kind)
        {
            case JsonKind.String:
                return value.ToText();
            case JsonKind.Number when value.TryGetInt64(out long whole):
                return whole;
            case JsonKind.Number when value.TryGetDouble(out double number):
                return number;
            default:
                var copy = new DocumentText();
                copy.Read(value.Source, default);
                return Value.FromTape(copy, 0);
        }
    }

    public TapeValue At(int index) => new(_bytes.AsSpan(0, _length), _tape, index);

    public void Dispose() => _tape.Dispose();
}

/// <summary>What the server knows about a document besides its text.</summary>
/// <param name="Id">The id as it was first written.</param>
/// <param name="Collection">Its collection; null when unknown.</param>
/// <param name="ChangeVector">Its version; null when unknown, and when <see cref="Kept"/> knows it.</param>
/// <param name="Flags">The flags as clients see them, such as "HasRevisions"; null for none, and when <see cref="Kept"/> knows them.</param>
/// <param name="LastModifiedTicks">Ticks of the UTC time of its last write; 0 when unknown.</param>
/// <param name="Item">Name of the item of the document that is mapped, as of a counter; null for the document itself.</param>
internal readonly record struct DocumentOrigin(
    string Id, string? Collection = null, string? ChangeVector = null, string? Flags = null, long LastModifiedTicks = 0,
    string? Item = null)
{
    /// <summary>What few definitions ask for; its texts are made only then.</summary>
    public KeptMetadata? Kept { get; init; }

    public string? ChangeVectorText => ChangeVector ?? Kept?.ChangeVector;

    public string? FlagsText => Flags ?? Kept?.Flags;
}

/// <summary>The version and the flags of a stored document.</summary>
/// <param name="Vector">As stored; empty for a document that only this copy has written.</param>
internal readonly record struct KeptMetadata(Etag Etag, byte[] Vector, DocumentFlags Bits, Replica Replica, DocumentExtensions Extensions)
{
    public string ChangeVector => Replica.TextOf(new DocumentVersion(Etag, Vector));

    /// <summary>Null for none.</summary>
    public string? Flags => DocumentWriter.TextOfFlags(Bits, Extensions);
}
