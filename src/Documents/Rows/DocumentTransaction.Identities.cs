using System.Diagnostics;
using System.Globalization;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Rows;

/// <summary>Identities, and ids that are completed with them.</summary>
internal sealed partial class DocumentTransaction
{
    /// <summary>Raises an identity by one. Returns false, without any change, when it is at the largest number.</summary>
    /// <param name="key">In lower case, with its bar.</param>
    public bool TryNextIdentity(ReadOnlySpan<byte> key, out long value)
    {
        value = IdentityTree.Get(Transaction.Trees, key);
        if (value == long.MaxValue)
        {
            return false;
        }

        SetIdentity(key, ++value);
        return true;
    }

    /// <summary>Sets an identity; without force only to a larger value. Returns the current value.</summary>
    public long SeedIdentity(ReadOnlySpan<byte> key, long value, bool force)
    {
        long current = IdentityTree.Get(Transaction.Trees, key);
        if (!force && current >= value)
        {
            return current;
        }

        SetIdentity(key, value);
        return value;
    }

    /// <summary>Takes the next value of an identity that no document has, and writes the document's key.</summary>
    /// <param name="identity">In lower case, with its bar.</param>
    /// <param name="key">Receives the identity's name, the separator and the value.</param>
    /// <param name="length">The bytes written.</param>
    /// <returns>False, without any change, when no larger number is free.</returns>
    public bool TryCompleteWithIdentity(ReadOnlySpan<byte> identity, Span<byte> key, out int length)
    {
        Debug.Assert(identity[^1] == '|');
        if (!TryFindFree(identity, IdentityTree.Get(Transaction.Trees, identity), key, out length, out long free))
        {
            return false;
        }

        SetIdentity(identity, free);
        return true;
    }

    /// <summary>Writes the key of a document that is numbered with its etag; if a document has that key already, with
    /// the next number that no document has.</summary>
    /// <param name="prefix">In lower case, with its separator.</param>
    /// <param name="key">Receives the prefix and the appended number.</param>
    /// <param name="length">The bytes written.</param>
    /// <returns>False when no larger number is free.</returns>
    public bool TryCompleteWithEtag(ReadOnlySpan<byte> prefix, Span<byte> key, out int length)
    {
        Debug.Assert(prefix[^1] != '|');
        return TryFindFree(prefix, LastEtag.Value, key, out length, out _);
    }

    // Also writes the key of the number.
    private bool TryFindFree(ReadOnlySpan<byte> sent, long taken, Span<byte> key, out int length, out long free)
    {
        var probe = new KeyProbe(this, sent, key);
        bool isFound = FreeNumbers.TryFind(ref probe, taken, out free);
        length = isFound ? probe.Length : 0;
        return isFound;
    }

    private void SetIdentity(ReadOnlySpan<byte> key, long value)
    {
        HasWrittenInBatch = true;
        IdentityTree.Set(Transaction.Trees, key, value);
    }

    private bool Exists(ReadOnlySpan<byte> sent, long value, Span<byte> key, out int length)
    {
        if (sent[^1] != '|')
        {
            length = DocumentIds.AppendNumber(sent, value, _owner.Replica.Node.KeyBytes, key);
            return TryFind(key[..length], out _);
        }

        sent[..^1].CopyTo(key);
        key[sent.Length - 1] = _owner.Replica.IdentitySeparator;
        bool fits = value.TryFormat(key[sent.Length..], out int digits, default, CultureInfo.InvariantCulture);
        Debug.Assert(fits);
        length = sent.Length + digits;
        return TryFind(key[..length], out _);
    }
    private ref struct KeyProbe(DocumentTransaction documents, ReadOnlySpan<byte> sent, Span<byte> key) : INumberProbe
    {
        private readonly DocumentTransaction _documents = documents;
        private readonly ReadOnlySpan<byte> _sent = sent;
        private readonly Span<byte> _key = key;
        private int _length;

        /// <summary>The length of the key of the last number.</summary>
        public readonly int Length => _length;

        public bool IsTaken(long number) => _documents.Exists(_sent, number, _key, out _length);
    }
}
