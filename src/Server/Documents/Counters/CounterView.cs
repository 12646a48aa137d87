using Jackdaw.Server.Documents.Identity;
using Jackdaw.Server.Documents.Storage;

namespace Jackdaw.Server.Documents.Counters;

/// <summary>The counters as a patch sees them: those of a snapshot, and over it what the earlier commands of the batch will have done. Notes
/// the etag of all that was read from the snapshot, so that the writer can check that it is still the stored one.</summary>
/// <remarks>An increment alone reads nothing, so that nobody's increments are in the way of others. Lives as long as the snapshot, except
/// for what it noted.</remarks>
internal sealed class CounterView(DocumentReadScope read)
{
    private readonly Dictionary<byte[], Foreseen> _changes = new(ByteTextComparer.Instance);
    private readonly Dictionary<byte[], Etag> _read = new(ByteTextComparer.Instance);
    private readonly List<byte[]> _removed = []; // what keys of counters begin with
    private CounterReads? _snapshot;

    /// <summary>Keys of counters that were read from the snapshot, and their etags; None: there was none.</summary>
    public IReadOnlyDictionary<byte[], Etag> Etags => _read;

    /// <summary>The value of a counter; null when there is none.</summary>
    /// <param name="document">Key.</param>
    /// <param name="name">UTF-8, in any casing. One that no counter can have is not found.</param>
    public long? Find(ReadOnlySpan<byte> document, ReadOnlySpan<byte> name)
    {
        Span<byte> buffer = stackalloc byte[ExtensionKeys.KeyBytesMax];
        if (ExtensionKeys.TryMake(document, name, buffer, out int length) != DocumentIdFault.None)
        {
            return null;
        }

        ReadOnlySpan<byte> key = buffer[..length];
        bool isChanged = _changes.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(key, out Foreseen change);
        return isChanged && change.IsWhole ? change.Value
            : isChanged ? unchecked((FindStored(document, name, key) ?? 0) + change.Value)
            : FindStored(document, name, key);
    }

    /// <summary>An operation is done after the snapshot.</summary>
    /// <param name="document">Key.</param>
    public void Foresee(ReadOnlySpan<byte> document, in CounterOperation operation)
    {
        if (operation.IsRead)
        {
            return;
        }

        byte[] key = new byte[document.Length + 1 + operation.NameKey.Length];
        operation.NameKey.Span.CopyTo(key.AsSpan(ExtensionKeys.MakePrefix(document, key)));
        _changes.TryGetValue(key, out Foreseen before);
        _changes[key] = operation.Kind switch
        {
            CounterOperationKind.Delete => new Foreseen(IsWhole: true, null),
            CounterOperationKind.Put => new Foreseen(IsWhole: true, operation.Delta),
            _ => new Foreseen(before.IsWhole, unchecked((before.Value ?? 0) + operation.Delta)), // The writer finds overflows.
        };
    }

    /// <summary>All counters of a document are deleted after the snapshot.</summary>
    /// <param name="document">Key.</param>
    public void Remove(ReadOnlySpan<byte> document)
    {
        byte[] prefix = new byte[document.Length + 1];
        ExtensionKeys.MakePrefix(document, prefix);
        RemoveAll(prefix);
    }

    /// <summary>All counters of documents whose keys begin with a text are deleted after the snapshot.</summary>
    public void RemoveAll(byte[] prefix)
    {
        foreach (byte[] key in _changes.Keys.Where(key => key.AsSpan().StartsWith(prefix)).ToArray())
        {
            _changes.Remove(key);
        }

        _removed.Add(prefix);
    }

    private long? FindStored(ReadOnlySpan<byte> document, ReadOnlySpan<byte> name, ReadOnlySpan<byte> key)
    {
        foreach (byte[] prefix in _removed)
        {
            if (key.StartsWith(prefix))
            {
                return null;
            }
        }

        _snapshot ??= new CounterReads(read.Transaction);
        bool isThere = _snapshot.TryFind(document, name, out CounterRow row);
        _read.GetAlternateLookup<ReadOnlySpan<byte>>()[key] = isThere ? row.Etag : Etag.None;
        return isThere ? row.Value : null;
    }

    /// <param name="IsWhole">What the counter is then, whatever it was; else what is added to it.</param>
    private readonly record struct Foreseen(bool IsWhole, long? Value);
}
