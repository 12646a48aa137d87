using Jackdaw.Documents.Rows;
using Jackdaw.Json;

namespace Jackdaw.Server.Notices;

/// <summary>Tells a client with a cache that something changed or, when it asked for more, what changed. It is collected for one frame.</summary>
internal sealed class CacheNotice(bool isExtended)
{
    private readonly HashSet<byte[]> _ids = new(ByteTextComparer.Instance);
    private readonly HashSet<byte[]> _collections = new(ByteTextComparer.Instance);
    private readonly HashSet<byte[]> _indexes = new(ByteTextComparer.Instance);
    private readonly HashSet<byte[]> _compareExchange = new(ByteTextComparer.Instance);
    private bool _hasChanged;
    private bool _isUnknown;

    /// <summary>The bytes of all names.</summary>
    public int Bytes { get; private set; }

    public void Add(NoticeBatch batch, in NoticeEntry entry)
    {
        if (!isExtended)
        {
            // Official servers do the same: with a counter of visits, a cache would be useless.
            _hasChanged |= entry.Kind is not (NoticeKind.CacheCompareExchange or NoticeKind.Extension);
            return;
        }

        _hasChanged = true;
        HashSet<byte[]>? names = entry.Kind switch
        {
            NoticeKind.Index => _indexes,
            NoticeKind.CacheCompareExchange => _compareExchange,
            NoticeKind.ExtensionGap or NoticeKind.ChangeGap => null,
            _ => _ids,
        };
        if (names is null)
        {
            _isUnknown = true;
            return;
        }

        Add(names, batch.Text(entry.NameText));
        if (!entry.CollectionText.IsNull && entry.CollectionText.Length > 0)
        {
            Add(_collections, batch.Text(entry.CollectionText));
        }
    }

    /// <summary>Anything may have changed.</summary>
    public void AddUnknown() => _hasChanged = _isUnknown = true;

    /// <summary>Writes the notice, if there is one, and clears it.</summary>
    /// <param name="isWanted">False to clear it without writing.</param>
    public void Flush(PooledBuffer frame, bool isWanted)
    {
        if (_hasChanged && isWanted)
        {
            frame.Append("{\"Type\":\"AggressiveCacheChange\""u8);
            if (isExtended)
            {
                frame.Append(",\"Value\":{\"IsUnknown\":"u8);
                frame.Append(_isUnknown ? "true"u8 : "false"u8);
                Append(frame, ",\"Ids\":["u8, _ids);
                Append(frame, ",\"Collections\":["u8, _collections);
                Append(frame, ",\"Indexes\":["u8, _indexes);
                Append(frame, ",\"CompareExchange\":["u8, _compareExchange);
                frame.Append((byte)'}');
            }

            frame.Append("},"u8);
        }

        _hasChanged = _isUnknown = false;
        Bytes = 0;
        _ids.Clear();
        _collections.Clear();
        _indexes.Clear();
        _compareExchange.Clear();
    }

    private void Add(HashSet<byte[]> names, ReadOnlySpan<byte> name)
    {
        if (names.GetAlternateLookup<ReadOnlySpan<byte>>().Add(name))
        {
            Bytes += name.Length + 1;
        }
    }

    private static void Append(PooledBuffer frame, ReadOnlySpan<byte> start, HashSet<byte[]> names)
    {
        frame.Append(start);
        foreach (byte[] name in names)
        {
            frame.Append(name);
            frame.Append((byte)',');
        }

        if (names.Count > 0)
        {
            frame.Truncate(frame.Length - 1);
        }

        frame.Append((byte)']');
    }
}
