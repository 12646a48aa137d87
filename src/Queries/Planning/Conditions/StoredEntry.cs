
namespace Jackdaw.Queries.Planning.Conditions;

/// <summary>What an entry of an index stores beside its terms. Immutable.</summary>
internal sealed class StoredEntry
{
    private readonly Dictionary<string, byte[]> _fields = new(StringComparer.Ordinal);

    /// <summary>The row of a reduce, a JSON object; empty for all other entries.</summary>
    public byte[] Row { get; init; } = [];

    /// <summary>The number of bytes of all values.</summary>
    public long SizeBytes { get; private set; }

    /// <param name="json">The value.</param>
    public void Add(string field, byte[] json)
    {
        _fields[field] = json;
        SizeBytes += json.Length;
    }

    /// <summary>The stored value of a field.</summary>
    /// <param name="json">The value; valid as long as this entry.</param>
    public bool TryGet(string field, out ReadOnlySpan<byte> json)
    {
        bool isStored = _fields.TryGetValue(field, out byte[]? value);
        json = value;
        return isStored;
    }
}
