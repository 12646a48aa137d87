using System.Diagnostics;
using System.Globalization;

namespace Jackdaw.Server.Documents.Storage;

/// <summary>Identities, and ids that are completed with them.</summary>
internal sealed partial class DocumentTransaction
{
    /// <summary>Raises an identity by one. False, and nothing changed: it is at the largest number.</summary>
    /// <param name="key">In lower case, with its bar.</param>
    public bool TryNextIdentity(ReadOnlySpan<byte> key, out long value)
    {
        value = IdentityTree.Get(Transaction.Trees, key);
        if (value == long.MaxValue)
        {
            return false;
        }

        IdentityTree.Set(Transaction.Trees, key, ++value);
        return true;
    }

    /// <summary>Sets an identity; without force only upwards. Returns the value in force.</summary>
    public long SeedIdentity(ReadOnlySpan<byte> key, long value, bool force)
    {
        long current = IdentityTree.Get(Transaction.Trees, key);
        if (!force && current >= value)
        {
            return current;
        }

        IdentityTree.Set(Transaction.Trees, key, value);
        return value;
    }

    /// <summary>Takes the next value of an identity that no document has, and writes the document's key.</summary>
    /// <param name="identity">In lower case, with its bar.</param>
    /// <param name="key">Takes the identity's name, a slash and the value.</param>
    /// <param name="length">The bytes written.</param>
    /// <returns>False, and nothing changed: no larger number is free.</returns>
    /// <remarks>Documents may have been imported with higher numbers than the identity knows: then the search doubles
    /// its step
    /// and closes in, so a million of them cost forty look-ups instead of a million.</remarks>
    public bool TryCompleteWithIdentity(ReadOnlySpan<byte> identity, Span<byte> key, out int length)
    {
        Debug.Assert(identity[^1] == '|');
        length = 0;
        long taken = IdentityTree.Get(Transaction.Trees, identity);
        long step = 1;
        while (taken < long.MaxValue)
        {
            step = Math.Min(step, long.MaxValue - taken);
            if (!Exists(identity, taken + step, key, out _))
            {
                break;
            }

            taken += step;
            step = Math.Min(step, long.MaxValue / 2) * 2;
        }

        if (taken == long.MaxValue)
        {
            return false;
        }

        long free = taken + step;
        while (free - taken > 1)
        {
            long middle = taken + ((free - taken) / 2);
            (taken, free) = Exists(identity, middle, key, out _) ? (middle, free) : (taken, middle);
        }

        bool exists = Exists(identity, free, key, out length);
        Debug.Assert(!exists);
        IdentityTree.Set(Transaction.Trees, identity, free);
        return true;
    }

    private bool Exists(ReadOnlySpan<byte> identity, long value, Span<byte> key, out int length)
    {
        identity[..^1].CopyTo(key);
        key[identity.Length - 1] = (byte)'/';
        bool fits = value.TryFormat(key[identity.Length..], out int digits, default, CultureInfo.InvariantCulture);
        Debug.Assert(fits);
        length = identity.Length + digits;
        return TryFind(key[..length], out _);
    }
}
