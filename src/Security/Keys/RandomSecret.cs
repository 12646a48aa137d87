using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;

namespace Jackdaw.Security.Keys;

/// <summary>Random texts that open something for whoever has them. Only their hashes are kept.</summary>
internal static class RandomSecret
{
    /// <summary>Makes a text of letters, digits, - and _.</summary>
    public static string Make(int bytes) => Base64Url.EncodeToString(RandomNumberGenerator.GetBytes(bytes));

    /// <summary>What is kept in place of a secret. One round is enough, because nobody can try all secrets of 128 bits and more.</summary>
    public static string Hash(ReadOnlySpan<char> secret)
    {
        byte[] text = new byte[Encoding.UTF8.GetByteCount(secret)];
        Encoding.UTF8.GetBytes(secret, text);
        return Convert.ToHexString(SHA256.HashData(text));
    }
}
