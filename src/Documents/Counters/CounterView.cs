using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Counters;

/// <summary>The counters as a patch sees them: those of a snapshot, changed by the earlier commands of the batch. It notes the etags of all counters that were
/// read from the snapshot, so that the writer can check that they are still the stored ones.</summary>
/// <remarks>An increment alone reads nothing, so that increments of several clients never conflict. It is valid as long as the snapshot, but the noted etags
/// stay valid.</remarks>
internal sealed class CounterView(DocumentReadScope read)
{
    private readonly Dictionary<byte[], Foreseen> _changes = new(ByteTextComparer.Instance);
    private readonly Dictionary<byte[], Etag> _read = new(ByteTextComparer.Instance);
    private readonly LastPrefixes _removed = new(); // beginnings of keys of counters
    private CounterReads? _snapshot;
    private int _step;

    /// <summary>The keys of counters that were read from the snapshot, and their etags; None for a missing counter.</summary>
    public IReadOnlyDictionary<byte[], Etag> Etags => _read;

    /// <summary>The value of a counter; null when there is none.</summary>
    /// <param name="document">The key of the document.</param>
    /// <param name="name">The name in UTF-8, in any casing. An invalid name is not found.</param>
    public long? Find(ReadOnlySpan<byte> document, ReadOnlySpan<byte> name)
    {
        Span<byte> buffer = stackalloc byte[ExtensionKeys.KeyBytesMax];
        if (ExtensionKeys.TryMake(document, name, buffer, out int length) != DocumentIdFault.None)
        {
            return null;
        }

        ReadOnlySpan<byte> key = buffer[..length];
        return FindChange(key) is not { } change ? FindStored(document, name, key)
            : change.IsWhole ? change.Value
            : unchecked((FindStored(document, name, key) ?? 0) + change.Value);
    }

    /// <summary>Notes that an operation will be done after the snapshot.</summary>
    /// <param name="document">The key of the document.</param>
    public void Foresee(ReadOnlySpan<byte> document, in CounterOperation operation)
    {
        if (operation.IsRead)
        {
            return;
        }

        byte[] key = new byte[document.Length + 1 + operation.NameKey.Length];
        operation.NameKey.Span.CopyTo(key.AsSpan(ExtensionKeys.MakePrefix(document, key)));
        Foreseen before = FindChange(key) ?? default;
        int step = ++_step;
        _changes[key] = operation.Kind switch
        {
            CounterOperationKind.Delete => new Foreseen(IsWhole: true, null, step),
            CounterOperationKind.Put => new Foreseen(IsWhole: true, operation.Delta, step),
            _ => new Foreseen(before.IsWhole, unchecked((before.Value ?? 0) + operation.Delta), step), // The writer finds overflows.
        };
    }

    /// <summary>Notes that all counters of a document will be deleted after the snapshot.</summary>
    /// <param name="document">The key of the document.</param>
    public void Remove(ReadOnlySpan<byte> document)
    {
        byte[] prefix = new byte[document.Length + 1];
        ExtensionKeys.MakePrefix(document, prefix);
        RemoveAll(prefix);
    }

    /// <summary>Notes that all counters of documents whose keys begin with a text will be deleted after the snapshot.</summary>
    public void RemoveAll(ReadOnlySpan<byte> prefix) => _removed.Set(prefix, ++_step);

    // Null when nothing has changed the counter, or nothing since it was deleted.
    private Foreseen? FindChange(ReadOnlySpan<byte> key) =>
        _changes.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(key, out Foreseen change) && change.Step > _removed.LastOf(key)
            ? change
            : null;

    private long? FindStored(ReadOnlySpan<byte> document, ReadOnlySpan<byte> name, ReadOnlySpan<byte> key)
    {
        if (_removed.LastOf(key) >= 0)
        {
            return null;
        }

        _snapshot ??= new CounterReads(read.Transaction);
        bool isThere = _snapshot.TryFind(document, name, out CounterRow row);
        _read.GetAlternateLookup<ReadOnlySpan<byte>>()[key] = isThere ? row.Etag : Etag.None;
        return isThere ? row.Value : null;
    }

    /// <param name="IsWhole">True when the value is the new value of the counter; false when it is added to the stored one.</param>
    /// <param name="Value">Null when there is no counter.</param>
    /// <param name="Step">The step of the batch that changes it.</param>
    private readonly record struct Foreseen(bool IsWhole, long? Value, int Step);
}
