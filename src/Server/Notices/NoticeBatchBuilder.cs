using System.Buffers.Text;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Operations;
using Jackdaw.Indexing;
using Jackdaw.Json;

namespace Jackdaw.Server.Notices;

/// <summary>Writes an operation's state as its route answers it.</summary>
internal delegate void WriteOperationState(
    Utf8JsonWriter json, Operation operation, (OperationStatus Status, Exception? Failure, BulkInsertCounts Progress) state,
    DocumentExtensions extensions);

/// <summary>Makes batches, in which the text of each notice is written once for all readers. Used by one thread at a time.</summary>
/// <param name="replica">The replica of the database.</param>
/// <param name="extensions">The extensions, which write the notices of their changes.</param>
internal sealed class NoticeBatchBuilder(Replica replica, DocumentExtensions extensions) : IDisposable
{
    /// <summary>The bytes of an entry besides its texts.</summary>
    private const int EntryBytes = 96;

    private readonly PooledBuffer _bytes = new();
    private readonly List<NoticeEntry> _entries = [];

    /// <summary>The memory of the batch.</summary>
    public int Size => _bytes.Length + (_entries.Count * EntryBytes);

    public bool IsEmpty => _entries.Count == 0;

    public void Dispose() => _bytes.Dispose();

    /// <summary>Makes a batch of the notices that were added.</summary>
    public NoticeBatch Build(Etag last, long endBefore)
    {
        var batch = new NoticeBatch(_bytes.Written.ToArray(), [.. _entries], last, endBefore + Size);
        _bytes.Clear();
        _entries.Clear();
        return batch;
    }

    public void Add(in Change change)
    {
        switch (change.Kind)
        {
            case ChangeKind.DocumentPut or ChangeKind.DocumentDelete or ChangeKind.DocumentMove:
                AddDocument(change);
                break;
            case ChangeKind.ExtensionPut or ChangeKind.ExtensionDelete or ChangeKind.ExtensionChange
                when extensions.At(change.Extension) is IWatchedExtension watched:
                AddExtension(change, watched);
                break;
            case ChangeKind.CompareExchangePut or ChangeKind.CompareExchangeDelete:
                _entries.Add(new NoticeEntry
                {
                    Kind = NoticeKind.CacheCompareExchange,
                    NameText = AppendString(change.Id),
                    Etag = change.Etag.Value,
                    ChangesCaches = true,
                });
                break;
        }
    }

    public void Add(IndexChange change)
    {
        byte[] name = Encoding.UTF8.GetBytes(change.Name);
        TextExtent key = TextKeys.Append(_bytes, name);
        int start = _bytes.Length;
        _bytes.Append("{\"Type\":\"IndexChange\",\"Value\":{\"Type\":\""u8);
        _bytes.Append(Encoding.ASCII.GetBytes(change.Kind.ToString()));
        _bytes.Append("\",\"Name\":"u8);
        TextExtent text = AppendString(name);
        _entries.Add(new NoticeEntry
        {
            Kind = NoticeKind.Index,
            Key = key,
            Json = From(start),
            NameText = text,
            ChangesCaches = change.Kind is IndexChangeKind.BatchCompleted or IndexChangeKind.IndexRemoved or IndexChangeKind.SideBySideReplace,
        });
    }

    public void Add(
        Operation operation, (OperationStatus Status, Exception? Failure, BulkInsertCounts Progress) state, WriteOperationState write)
    {
        int start = _bytes.Length;
        AppendNumber(operation.Id);
        TextExtent key = From(start);
        start = _bytes.Length;
        _bytes.Append("{\"Type\":\"OperationStatusChange\",\"Value\":{\"OperationId\":"u8);
        AppendNumber(operation.Id);
        _bytes.Append(",\"State\":"u8);
        using var stream = new MemoryStream();
        using (var json = new Utf8JsonWriter(stream))
        {
            write(json, operation, state, extensions);
        }

        _bytes.Append(stream.GetBuffer().AsSpan(0, (int)stream.Length));
        _entries.Add(new NoticeEntry { Kind = NoticeKind.Operation, Key = key, Json = From(start) });
    }

    /// <summary>Adds a notice that changes were lost.</summary>
    /// <param name="kind">The kind of watches that lost them.</param>
    public void AddGap(NoticeKind kind, Etag after, Etag last) =>
        _entries.Add(new NoticeEntry { Kind = kind, After = after.Value, Etag = last.Value, ChangesCaches = true });

    private void AddDocument(in Change change)
    {
        bool isSystem = change.Collection.SequenceEqual("@hilo"u8);
        NoticeKind kind = change.Kind == ChangeKind.DocumentMove ? NoticeKind.DocumentMove
            : change.IsArtificial ? NoticeKind.CacheDocument
            : isSystem ? NoticeKind.SystemDocument
            : NoticeKind.Document;
        TextExtent key = TextKeys.Append(_bytes, change.Id);
        TextExtent collection = TextKeys.Append(_bytes, change.Collection);
        int start = _bytes.Length;
        _bytes.Append("{\"Type\":\"DocumentChange\",\"Value\":{\"Type\":\""u8);
        _bytes.Append(change.Kind != ChangeKind.DocumentPut ? "Delete"u8 : isSystem ? "Common"u8 : "Put"u8);
        _bytes.Append("\",\"Id\":"u8);
        TextExtent id = AppendString(change.Id);
        _bytes.Append(",\"CollectionName\":"u8);
        TextExtent collectionText = AppendString(change.Collection);
        AppendVector(change);
        _entries.Add(new NoticeEntry
        {
            Kind = kind,
            Key = key,
            Collection = collection,
            Json = From(start),
            NameText = id,
            CollectionText = collectionText,
            Etag = change.Etag.Value,
            ChangesCaches = true,
        });
    }

    private void AddExtension(in Change change, IWatchedExtension extension)
    {
        TextExtent key = TextKeys.Append(_bytes, change.Id);
        TextExtent name = TextKeys.Append(_bytes, change.Name);
        int start = _bytes.Length;
        _bytes.Append("{\"Type\":\""u8);
        AppendAscii(extension.Watches.NoticeType);
        _bytes.Append("\",\"Value\":{\"Type\":\""u8);
        AppendAscii(extension.NameOf(change.Kind));
        _bytes.Append("\",\"Name\":"u8);
        AppendString(change.Name);
        _bytes.Append(",\"Value\":"u8);
        extension.WriteValue(change.Payload, _bytes);
        _bytes.Append(",\"DocumentId\":"u8);
        TextExtent id = AppendString(change.Id);
        _bytes.Append(",\"CollectionName\":"u8);
        TextExtent collection = AppendString(change.Collection);
        AppendVector(change);
        _entries.Add(new NoticeEntry
        {
            Kind = NoticeKind.Extension,
            Extension = change.Extension,
            Key = key,
            Name = name,
            Json = From(start),
            NameText = id,
            CollectionText = collection,
            Etag = change.Etag.Value,
            ChangesCaches = true,
        });
    }

    private void AppendVector(in Change change)
    {
        _bytes.Append(",\"ChangeVector\":\""u8);
        Span<byte> plain = stackalloc byte[ChangeVector.EntryBytesMax];
        _bytes.Append(change.ChangeVector.IsEmpty ? plain[..replica.Format(change.Etag, plain)] : change.ChangeVector);
        _bytes.Append((byte)'"');
    }

    private void AppendAscii(string text) => _bytes.Advance(Encoding.ASCII.GetBytes(text, _bytes.Reserve(text.Length)));

    private TextExtent From(int start) => new(start, _bytes.Length - start);

    private TextExtent AppendString(ReadOnlySpan<byte> characters)
    {
        int start = _bytes.Length;
        _bytes.Append((byte)'"');
        _bytes.Advance(JsonText.WriteEscaped(characters, _bytes.Reserve(characters.Length * JsonText.EscapedByteMax)));
        _bytes.Append((byte)'"');
        return From(start);
    }

    private void AppendNumber(long number)
    {
        Utf8Formatter.TryFormat(number, _bytes.Reserve(20), out int digits);
        _bytes.Advance(digits);
    }
}
