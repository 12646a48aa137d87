using Jackdaw.Json.Refusals;

namespace Jackdaw.Queries.Changes;

/// <summary>The keys of many documents in little memory, in the order in which they were added.</summary>
internal sealed class KeyList
{
    /// <summary>The most bytes of all keys: ten million keys of usual length. More documents belong into several operations.</summary>
    public const int BytesMax = 256 * 1024 * 1024;

    private const int ChunkBytes = 1024 * 1024;

    private readonly List<(byte[] Bytes, int Used)> _chunks = [];

    public long Count { get; private set; }

    /// <exception cref="RefusedException">There are too many keys.</exception>
    public void Add(ReadOnlySpan<byte> key)
    {
        int needed = sizeof(ushort) + key.Length;
        if (_chunks.Count == 0 || _chunks[^1].Used + needed > ChunkBytes)
        {
            if ((long)(_chunks.Count + 1) * ChunkBytes > BytesMax)
            {
                throw new RefusedException(RefusalKind.NotPossible,
                    $"The query finds documents whose ids have more than {BytesMax} bytes together. Nothing was changed; " +
                    "narrow it, and send several.");
            }

            _chunks.Add((new byte[ChunkBytes], 0));
        }

        (byte[] bytes, int used) = _chunks[^1];
        BitConverter.TryWriteBytes(bytes.AsSpan(used), checked((ushort)key.Length));
        key.CopyTo(bytes.AsSpan(used + sizeof(ushort)));
        _chunks[^1] = (bytes, used + needed);
        Count++;
    }

    /// <summary>The keys, some at a time.</summary>
    public IEnumerable<List<byte[]>> InBatches(int batchMax)
    {
        var batch = new List<byte[]>(batchMax);
        foreach ((byte[] bytes, int used) in _chunks)
        {
            for (int at = 0; at < used;)
            {
                int length = BitConverter.ToUInt16(bytes, at);
                batch.Add(bytes.AsSpan(at + sizeof(ushort), length).ToArray());
                at += sizeof(ushort) + length;
                if (batch.Count == batchMax)
                {
                    yield return batch;
                    batch = new List<byte[]>(batchMax);
                }
            }
        }

        if (batch.Count > 0)
        {
            yield return batch;
        }
    }
}
