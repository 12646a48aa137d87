using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Commands;

/// <summary>Remembers prefixes of keys, each with the last step of a batch that changed all keys with the prefix. One thread at a time.</summary>
internal sealed class LastPrefixes
{
    private readonly Dictionary<byte[], int> _steps = new(ByteTextComparer.Instance);
    private readonly List<int> _lengths = [];

    /// <summary>Notes that a step changes all keys with a prefix. Steps come in ascending order.</summary>
    public void Set(ReadOnlySpan<byte> prefix, int step)
    {
        _steps.GetAlternateLookup<ReadOnlySpan<byte>>()[prefix] = step;
        if (!_lengths.Contains(prefix.Length))
        {
            _lengths.Add(prefix.Length);
        }
    }

    /// <summary>The last step that changed all keys with a prefix of this key; -1 for none.</summary>
    /// <remarks>It takes one look-up for each length of a prefix: there may be very many prefixes, but no more lengths than a key has bytes.</remarks>
    public int LastOf(ReadOnlySpan<byte> key)
    {
        int last = -1;
        foreach (int length in _lengths)
        {
            if (length <= key.Length && _steps.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(key[..length], out int step))
            {
                last = Math.Max(last, step);
            }
        }

        return last;
    }
}
