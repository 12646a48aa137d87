using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;

namespace Jackdaw.Json;

/// <summary>Hash of a property name, keyed per process.</summary>
/// <remarks>
/// Names come from clients, who must not be able to prepare a million that collide; so there is a key. Only the speed
/// of finding duplicates depends on it, never a result, so it needs no seed that tests could inject. The shape (fold
/// 128-bit products of keyed 8-byte reads, overlapping reads instead of a tail loop) is that of Wang Yi's wyhash; most
/// names take two multiplications.
/// </remarks>
internal static class NameHash
{
    private static readonly ulong s_key0 = RandomKey();
    private static readonly ulong s_key1 = RandomKey();

    public static uint Compute(ReadOnlySpan<byte> name)
    {
        ulong state = s_key0;
        ulong first;
        ulong last = 0;
        if (name.Length >= 8)
        {
            ReadOnlySpan<byte> rest = name;
            while (rest.Length > 16)
            {
                state = Fold(Read8(rest) ^ s_key1, Read8(rest[8..]) ^ state);
                rest = rest[16..];
            }
            first = Read8(name[Math.Max(0, name.Length - 16)..]);
            last = Read8(name[^8..]);
        }
        else if (name.Length >= 4)
        {
            first = BinaryPrimitives.ReadUInt32LittleEndian(name);
            last = BinaryPrimitives.ReadUInt32LittleEndian(name[^4..]);
        }
        else
        {
            first = name.Length == 0 ? 0 : ((ulong)name[0] << 16) | ((ulong)name[name.Length >> 1] << 8) | name[^1];
        }
        ulong hash = Fold(s_key1 ^ (ulong)name.Length, Fold(first ^ s_key1, last ^ state));
        return (uint)(hash ^ (hash >> 32));
    }

    private static ulong Read8(ReadOnlySpan<byte> bytes) => BinaryPrimitives.ReadUInt64LittleEndian(bytes);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Fold(ulong left, ulong right)
    {
        ulong high = Math.BigMul(left, right, out ulong low);
        return high ^ low;
    }

    private static ulong RandomKey()
    {
        Span<byte> key = stackalloc byte[8];
        RandomNumberGenerator.Fill(key);
        return Read8(key) | 1;
    }
}
