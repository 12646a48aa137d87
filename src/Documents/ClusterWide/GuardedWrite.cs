using System.Diagnostics;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Json.Refusals;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.ClusterWide;

/// <summary>A put or a delete of a document in a cluster-wide transaction, with the guard of the document.</summary>
/// <remarks>
/// 1. The guard must have the index that the loaded version names. If there is no guard, the loaded version must not name one either, unless the stored
/// document still does. The loaded version must not have been deleted.
/// 2. A put writes the guard with the index of the transaction, a delete removes it.
/// 3. The change vector of the written version has its etag and the index of the transaction: <c>RAFT:etag-id, TRXN:index-id</c>. Without guards, and for
/// deletions, it has only the first entry, so that no version names a guard that does not belong to it.
/// </remarks>
/// <param name="write">The write of the document.</param>
/// <param name="isAtomic">False when the client wants no guards.</param>
internal sealed class GuardedWrite(KeyedCommand write, bool isAtomic) : DocumentCommand, IClusterWideCommand
{
    private readonly byte[] _vector = new byte[AtomicGuard.VectorBytesMax];
    private bool _isChecked;
    private bool _isGuardRefused;
    private bool _isVersionRefused;
    private long _actualGuard;

    public override ReadOnlyMemory<byte> Id => write.Id;

    public long TransactionIndex { get; private set; }

    public ClusterWideViolation? Violation =>
        _isGuardRefused ? new ClusterWideViolation("Document", IdText, write.Original.GuardIndex, _actualGuard)
        : _isVersionRefused ? new ClusterWideViolation("Document", IdText, write.Expected.Etag.Value, write.ActualEtag.Value)
        : null;

    internal override ReadOnlyMemory<byte> Key => write.Key;

    internal override KeyEffect Effect => write.Effect;

    internal override bool HasDemand => isAtomic || write.HasDemand;

    internal override TransactionModes Modes => TransactionModes.ClusterWide;

    internal override int SizeBytes => write.SizeBytes + FixedBytes + (4 * write.Id.Length);

    internal override int SharedBytesMax => write.SharedBytesMax;

    private string IdText => Encoding.UTF8.GetString(write.Id.Span);

    internal override void Prepare(CommandPreparation preparation)
    {
        write.Prepare(preparation);
        _isChecked = false;
        if (write is PutCommand put)
        {
            put.IgnoresGuard = true;
            put.GivenFlags = DocumentFlags.FromClusterTransaction;
        }
    }

    internal override bool IsDemandMet(DocumentTransaction documents, KeyEffect earlier)
    {
        _isChecked = true;
        return Check(documents, earlier);
    }

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        if (!_isChecked && !Check(documents, KeyEffect.None))
        {
            return WriteStatus.Conflict;
        }

        TransactionIndex = CompareExchangeWrites.TransactionIndex(documents);
        int length = AtomicGuard.FormatVector(
            documents.Replica, documents.LastEtag.Value + 1, isAtomic && write is PutCommand ? TransactionIndex : 0, _vector);
        write.Given = _vector.AsMemory(0, length);
        WriteStatus status = write.Apply(documents);
        if (status == WriteStatus.Applied && isAtomic)
        {
            WriteGuard(documents);
        }

        return status;
    }

    internal override void ReadActual(DocumentReadScope read) => write.ReadActual(read);

    internal override Refusal MakeRefusal(WriteBatch batch, INamedDatabase database) =>
        _isGuardRefused || _isVersionRefused ? ClusterWideRefusal.Make(batch) : write.MakeRefusal(batch, database);

    internal override void WriteAnswer(Utf8JsonWriter json, INamedDatabase database) => write.WriteAnswer(json, database);

    // All demands are checked, so that the answer names every version that others changed. An earlier command of the batch has checked the guard.
    private bool Check(DocumentTransaction documents, KeyEffect earlier)
    {
        _isGuardRefused = isAtomic && earlier == KeyEffect.None && !IsGuardMet(documents);
        _isVersionRefused = write.HasDemand && !write.IsDemandMet(documents, earlier);
        return !_isGuardRefused && !_isVersionRefused;
    }

    private bool IsGuardMet(DocumentTransaction documents)
    {
        OriginalVersion original = write.Original;
        ReadOnlySpan<byte> key = write.Key.Span;
        _actualGuard = AtomicGuard.IndexOf(CompareExchangeWrites.Values(documents), key);
        if (_actualGuard > 0 || !original.IsGiven)
        {
            return _actualGuard == original.GuardIndex;
        }

        return documents.TryFind(key, out DocumentRow stored)
            && (original.GuardIndex == 0 || AtomicGuard.IndexIn(stored.ChangeVector) == original.GuardIndex);
    }

    private void WriteGuard(DocumentTransaction documents)
    {
        byte[] document = write.Key.ToArray();
        byte[] id = write.Id.ToArray();
        if (write is PutCommand { IdKind: not DocumentIdKind.Complete } put)
        {
            // The writer has completed the id.
            id = Encoding.UTF8.GetBytes(put.StoredId);
            document = new byte[DocumentIds.KeyBytesMax];
            DocumentIdFault fault = DocumentIds.TryMakeKey(id, document, out int length);
            Debug.Assert(fault == DocumentIdFault.None, "it is the id of a stored document");
            document = document[..length];
        }

        byte[] key = AtomicGuard.Of(document);
        bool exists = CompareExchangeWrites.Values(documents).TryGetByKey(key, out TableRow row);
        var stored = new CompareExchangeRow(row);
        if (write is PutCommand { Document.Schedule: var schedule })
        {
            byte[] name = exists ? stored.Name.ToArray() : AtomicGuard.Of(id);
            byte[] guard = CompareExchangeTable.BuildRow(key, name, AtomicGuard.ValueOf(id), TransactionIndex);
            // The guard must be deleted with the document. Otherwise a new document with this id would find a guard that nobody knows.
            CompareExchangeWrites.Put(documents, stored, exists, key, name, guard, schedule?.ExpiresTicks ?? 0);
        }
        else if (exists)
        {
            CompareExchangeWrites.Delete(documents, stored, key);
        }
    }
}
