using System.Buffers.Binary;
using System.Globalization;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Answers;

/// <summary>The ETag of an answer with several documents: a 64-bit hash of their etags, in their order, and of the database.</summary>
/// <remarks>An etag always identifies one version of one document, with any change vector, and the URL, which is the key of the client's cache, covers the
/// rest. The hash is the same after a restart. It mixes bits as MurmurHash3's 64-bit finaliser does.</remarks>
internal struct VersionHash
{
    private ulong _state;
    private int _count;

    public static VersionHash Begin(INamedDatabase database)
    {
        var hash = default(VersionHash);
        foreach (byte value in database.Replica.DatabaseIdBytes)
        {
            hash.Mix(value);
        }

        return hash;
    }

    /// <param name="etag">None for a missing document.</param>
    public void Add(Etag etag)
    {
        _count++;
        Mix((ulong)etag.Value);
    }

    /// <summary>Adds a count, or another number that the answer depends on.</summary>
    public void Add(long number) => Mix((ulong)number);

    /// <summary>Adds a text that the answer depends on.</summary>
    public void Add(ReadOnlySpan<byte> text)
    {
        Mix((ulong)text.Length);
        for (; text.Length >= sizeof(ulong); text = text[sizeof(ulong)..])
        {
            Mix(BinaryPrimitives.ReadUInt64LittleEndian(text));
        }

        foreach (byte rest in text)
        {
            Mix(rest);
        }
    }

    /// <summary>The hash as a number of 53 bits, which JavaScript keeps exactly.</summary>
    public readonly long ToNumber() => (long)(_state >> 11);

    public readonly string ToTag() => string.Create(CultureInfo.InvariantCulture, $"\"{_count}-{_state:x16}\"");

    private void Mix(ulong value)
    {
        ulong mixed = (_state ^ value) + 0x9E3779B97F4A7C15;
        mixed = (mixed ^ (mixed >> 33)) * 0xFF51AFD7ED558CCD;
        mixed = (mixed ^ (mixed >> 33)) * 0xC4CEB9FE1A85EC53;
        _state = mixed ^ (mixed >> 33);
    }
}
