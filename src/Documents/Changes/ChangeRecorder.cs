using System.Diagnostics;
using Jackdaw.Documents.Identity;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Changes;

/// <summary>The changes of one transaction while it is executed and written. The writer thread uses it; then no thread until the transaction is durable; then
/// the thread that publishes it.</summary>
/// <remarks>It is used again for the transaction after the next one, so that changes cost no allocation.</remarks>
internal sealed class ChangeRecorder
{
    /// <summary>Changes of a transaction with more bytes than this are reported as a gap. These are about 30,000 changes, more than a batch of a bulk insert
    /// has.</summary>
    public const int BytesMax = 2 * 1024 * 1024;

    /// <summary>The largest buffer, in bytes, that is kept for the next transaction.</summary>
    private const int CachedBytesMax = 64 * 1024;

    private const int FirstBytes = 1024;

    private byte[] _bytes = [];
    private int _length;
    private long _transactionId;
    private Etag _last;

    /// <summary>Changes recorded.</summary>
    public int Count { get; private set; }

    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, _length);

    /// <summary>Whether the recorded changes are incomplete, because there were more than <see cref="BytesMax"/> bytes.</summary>
    public bool IsIncomplete { get; private set; }

    /// <summary>Begins to record a transaction.</summary>
    public void Begin(long transactionId)
    {
        _transactionId = transactionId;
        _last = Etag.None;
        _length = 0;
        Count = 0;
        IsIncomplete = false;
    }

    /// <summary>Stops recording the transaction.</summary>
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
    /// <param name="last">The last etag of the transaction. A transaction that was rolled back after its execution had the same id as the next one, and a
    /// larger last etag than a transaction that wrote no document.</param>
    public bool Holds(long transactionId, Etag last) => _transactionId == transactionId && _last == last && !IsIncomplete;

    /// <summary>Returns a large buffer to the pool.</summary>
    public void Trim()
    {
        if (_bytes.Length > CachedBytesMax)
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
