using System.Diagnostics;
using Jackdaw.Documents.Identity;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Changes;

/// <summary>The changes of one transaction while it is executed and written. Used by the writer thread; then, until the
/// transaction is durable, by none; then by the thread that publishes it.</summary>
/// <remarks>Used again for the transaction after the next one, so that changes cost no allocation.</remarks>
internal sealed class ChangeRecorder
{
    /// <summary>Bytes of a transaction's changes above which they are reported as a gap: about 30,000 changes, more
    /// than a batch of a bulk insert has.</summary>
    public const int BytesMax = 2 * 1024 * 1024;

    /// <summary>Buffer kept for the next transaction. Bytes.</summary>
    private const int KeptBytesMax = 64 * 1024;

    private const int FirstBytes = 1024;

    private byte[] _bytes = [];
    private int _length;
    private long _transactionId;
    private Etag _last;

    /// <summary>Changes recorded.</summary>
    public int Count { get; private set; }

    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, _length);

    /// <summary>There were more than <see cref="BytesMax"/> bytes: the recorded changes are incomplete.</summary>
    public bool IsIncomplete { get; private set; }

    /// <summary>Starts with a transaction.</summary>
    public void Begin(long transactionId)
    {
        _transactionId = transactionId;
        _last = Etag.None;
        _length = 0;
        Count = 0;
        IsIncomplete = false;
    }

    /// <summary>The transaction is not recorded.</summary>
    public void Forget() => _transactionId = 0;

    public void Add(in Change change)
    {
        Debug.Assert(_transactionId != 0 && change.Etag.Value > _last.Value, "changes come in the order of their etags");
        _last = change.Etag;
        int bytes = ChangeFormat.Measure(change);
        if (IsIncomplete || !TryMakeRoom(bytes))
        {
            IsIncomplete = true;
            return;
        }

        ChangeFormat.Write(change, _bytes.AsSpan(_length, bytes));
        _length += bytes;
        Count++;
    }

    /// <summary>Whether all changes of a committed transaction were recorded here.</summary>
    /// <param name="last">Its last etag. A transaction that was rolled back after its execution had the same id as the
    /// next one, and a larger last etag than one that wrote no document.</param>
    public bool Holds(long transactionId, Etag last) => _transactionId == transactionId && _last == last && !IsIncomplete;

    /// <summary>Returns a large buffer to the pool.</summary>
    public void Trim()
    {
        if (_bytes.Length > KeptBytesMax)
        {
            ByteArrays.Return(_bytes);
            _bytes = [];
            _length = 0;
            Forget();
        }
    }

    private bool TryMakeRoom(int bytes)
    {
        int needed = _length + bytes;
        if (needed <= _bytes.Length)
        {
            return true;
        }

        if (needed > BytesMax)
        {
            return false;
        }

        byte[] larger = ByteArrays.Rent(Math.Max(FirstBytes, Math.Min(needed * 2, BytesMax)));
        Bytes.CopyTo(larger);
        if (_bytes.Length > 0)
        {
            ByteArrays.Return(_bytes);
        }

        _bytes = larger;
        return true;
    }
}
