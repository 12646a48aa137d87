using System.Buffers.Binary;
using System.Diagnostics;
using System.Security.Cryptography;

namespace Jackdaw.Indexing.Reducing;

/// <summary>Identity of a key, of a group or a document: the first 16 bytes of its SHA-256. Two keys with one hash are not expected to exist.</summary>
internal readonly record struct KeyHash(ulong High, ulong Low)
{
    public const int SizeOf = 16;

    /// <summary>Hash of a key.</summary>
    /// <param name="key">Its values in one form: equal keys are equal bytes.</param>
    public static KeyHash Of(ReadOnlySpan<byte> key)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(key, hash);
        return Read(hash);
    }

    public static KeyHash Read(ReadOnlySpan<byte> source) =>
        new(BinaryPrimitives.ReadUInt64BigEndian(source), BinaryPrimitives.ReadUInt64BigEndian(source[8..]));

    public void Write(Span<byte> target)
    {
        BinaryPrimitives.WriteUInt64BigEndian(target, High);
        BinaryPrimitives.WriteUInt64BigEndian(target[8..], Low);
    }

    /// <summary>The text of the hash, UTF-8: the id of the entry of a group.</summary>
    public byte[] ToUtf8()
    {
        byte[] text = new byte[2 * SizeOf];
        bool fits = High.TryFormat(text, out _, "x16") && Low.TryFormat(text.AsSpan(SizeOf), out _, "x16");
        Debug.Assert(fits);
        return text;
    }

    public override string ToString() => $"{High:x16}{Low:x16}";
}
