using System.Text;
using System.Text.Json;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;
using Jackdaw.Json.Refusals;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Commands;

/// <summary>Writes a compare exchange value when its index is the expected one.</summary>
/// <remarks>In a request of its own, a different index is a regular answer: the value does not change, and the client gets it. In a cluster-wide transaction, a
/// different index makes the whole batch fail.</remarks>
internal abstract class CompareExchangeCommand : DocumentCommand, IClusterWideCommand
{
    private ReadOnlyMemory<byte> _name;
    private ReadOnlyMemory<byte> _key;
    private TextExtent _nameExtent;
    private TextExtent _keyExtent;
    private long _actualIndex;
    private bool _isRefused;

    /// <summary>The key as the client sent it.</summary>
    public override ReadOnlyMemory<byte> Id => _name;

    internal override ReadOnlyMemory<byte> Key => _key;

    /// <summary>The expected index of the value; 0 when there must be no value.</summary>
    public long ExpectedIndex { get; set; }

    /// <summary>After it is applied, whether the index was the expected one.</summary>
    public bool IsSuccessful { get; private set; }

    /// <inheritdoc/>
    long IClusterWideCommand.TransactionIndex => Index;

    /// <summary>After it is applied, the new index, or the current one when nothing was changed; never 0.</summary>
    public long Index { get; private set; }

    /// <summary>After it is applied, the value that is stored, or that was deleted; null when there is none.</summary>
    public byte[]? Value { get; private set; }

    /// <summary>True for a request of its own, in which a different index is an answer. False for a part of a cluster-wide transaction, such as every command
    /// in a batch.</summary>
    public bool IsAlone { get; init; }

    internal override TransactionModes Modes => IsAlone ? TransactionModes.SingleNode : TransactionModes.ClusterWide;

    internal override bool IsOfValue => true;

    internal override bool HasDemand => !IsAlone;

    /// <summary>Sets the key of a command that was not parsed.</summary>
    public void SetKey(ReadOnlyMemory<byte> name, ReadOnlyMemory<byte> key)
    {
        _name = name;
        _key = key;
    }

    internal override void Bind(PooledBuffer buffer)
    {
        _name = _nameExtent.In(buffer);
        _key = _keyExtent.In(buffer);
    }

    internal override void Prepare(CommandPreparation preparation) => _isRefused = false;

    internal override bool IsDemandMet(DocumentTransaction documents, KeyEffect earlier)
    {
        long stored = TryFind(documents, out CompareExchangeRow row) ? row.Index : 0;
        long met = earlier switch
        {
            KeyEffect.None => stored,
            KeyEffect.Write => long.MaxValue, // The index is not known yet, but it is new, so that no client can have named it.
            _ => 0,
        };
        _isRefused = ExpectedIndex != met;
        _actualIndex = stored;
        return !_isRefused;
    }

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        bool exists = TryFind(documents, out CompareExchangeRow stored);
        long current = exists ? stored.Index : 0;
        IsSuccessful = ExpectedIndex == current || (!exists && IsContentWithNothing);
        if (IsSuccessful)
        {
            Value = Write(documents, stored, exists);
            Index = IsAlone ? Math.Max(1, documents.LastEtag.Value) : CompareExchangeWrites.TransactionIndex(documents);
            return WriteStatus.Applied;
        }

        (_isRefused, _actualIndex) = (true, current);
        Value = exists ? stored.Value.ToArray() : null;
        Index = exists ? current : Math.Max(1, documents.LastEtag.Value);
        return IsAlone ? WriteStatus.Applied : WriteStatus.Conflict;
    }

    internal override void ReadActual(DocumentReadScope read) =>
        _actualIndex = CompareExchangeTable.Open(read.Transaction).TryGetByKey(Key.Span, out TableRow row)
            ? new CompareExchangeRow(row).Index
            : 0;

    internal override Refusal MakeRefusal(WriteBatch batch, INamedDatabase database) => ClusterWideRefusal.Make(batch);

    /// <inheritdoc/>
    ClusterWideViolation? IClusterWideCommand.Violation => _isRefused
        ? new ClusterWideViolation("CompareExchange", Encoding.UTF8.GetString(Id.Span), ExpectedIndex, _actualIndex)
        : null;

    internal override void Clear()
    {
        SetKey(default, default);
        Value = null;
    }

    /// <summary>Whether the command succeeds with any expected index when there is no value.</summary>
    protected virtual bool IsContentWithNothing => false;

    /// <summary>Reads the members that both commands have in a batch.</summary>
    protected static TCommand Take<TCommand>(ref CommandText text)
        where TCommand : CompareExchangeCommand, new()
    {
        (TextExtent name, TextExtent key) = text.ReadId(CompareExchangeFormat.DescribeKey, DocumentFormatError.KeyTooBig);
        long index = text.ReadCount("Index") ?? 0;
        TCommand command = text.Target.Add<TCommand>();
        command._nameExtent = name;
        command._keyExtent = key;
        command.ExpectedIndex = index;
        if (AtomicGuard.IsGuard(key.SpanIn(text.Target.Buffer)))
        {
            string guard = Encoding.UTF8.GetString(name.SpanIn(text.Target.Buffer));
            text.Throw(-1, DocumentFormatError.InvalidOperation,
                $"Command {text.Index}: You cannot manipulate the atomic guard '{guard}' via the cluster-wide session. The server writes the guard of a "
                + "document together with the document; to repair one, write it with PUT /cmpxchg.");
        }

        return command;
    }

    /// <summary>Changes the table.</summary>
    /// <returns>The new <see cref="Value"/>.</returns>
    protected abstract byte[]? Write(DocumentTransaction documents, CompareExchangeRow stored, bool exists);

    /// <summary>Writes the members of the result in the answer to a batch.</summary>
    protected void WriteAnswer(Utf8JsonWriter json, ReadOnlySpan<byte> type)
    {
        json.WriteString("Type"u8, type);
        json.WriteString("Key"u8, Id.Span);
        json.WriteNumber("Index"u8, Index);
    }

    private bool TryFind(DocumentTransaction documents, out CompareExchangeRow row)
    {
        bool found = CompareExchangeWrites.Values(documents).TryGetByKey(Key.Span, out TableRow stored);
        row = new CompareExchangeRow(stored);
        return found;
    }
}

/// <summary>Puts a compare exchange value.</summary>
internal sealed class PutCompareExchangeCommand : CompareExchangeCommand
{
    private TextExtent _extent;
    private ReadOnlyMemory<byte> _value;
    private byte[] _row = [];
    private long _expiresTicks;

    internal override KeyEffect Effect => KeyEffect.Write;

    internal override int SizeBytes => FixedBytes + (2 * _value.Length);

    /// <summary>Reads a put of a batch.</summary>
    public static void Read(ref CommandText text)
    {
        if (!text.TryOpenDocument(out JsonCursor document))
        {
            text.Throw(document.Position, DocumentFormatError.InvalidRequest,
                $"Command {text.Index} is a CompareExchangePUT, and its Document is missing; send {{\"Object\":...}}.");
        }

        TextExtent value = CompareExchangeFormat.ReadValue(ref document, text.Target.Buffer, out long expiresTicks);
        PutCompareExchangeCommand command = Take<PutCompareExchangeCommand>(ref text);
        command._extent = value;
        command._expiresTicks = expiresTicks;
    }

    /// <summary>Sets the value of a command that was not parsed, in its stored form.</summary>
    /// <param name="expiresTicks">UTC; 0 for never.</param>
    public void SetValue(ReadOnlyMemory<byte> value, long expiresTicks = 0) => (_value, _expiresTicks) = (value, expiresTicks);

    internal override void Bind(PooledBuffer buffer)
    {
        base.Bind(buffer);
        _value = _extent.In(buffer);
    }

    internal override void Prepare(CommandPreparation preparation)
    {
        base.Prepare(preparation);
        _row = IsAlone ? CompareExchangeTable.BuildRow(Key.Span, Id.Span, _value.Span) : [];
    }

    internal override void WriteAnswer(Utf8JsonWriter json, INamedDatabase database) => WriteAnswer(json, "CompareExchangePUT"u8);

    internal override void Clear()
    {
        base.Clear();
        _value = default;
        _row = [];
        _expiresTicks = 0;
    }

    // The spelling of the first write does not change.
    protected override byte[]? Write(DocumentTransaction documents, CompareExchangeRow stored, bool exists)
    {
        ReadOnlySpan<byte> name = exists ? stored.Name : Id.Span;
        byte[] row = _row.Length > 0 && name.SequenceEqual(Id.Span)
            ? _row
            : CompareExchangeTable.BuildRow(Key.Span, name, _value.Span, IsAlone ? 0 : CompareExchangeWrites.TransactionIndex(documents));
        CompareExchangeWrites.Put(documents, stored, exists, Key.Span, name, row, _expiresTicks);
        return IsAlone ? _value.ToArray() : null;
    }
}

/// <summary>Deletes a compare exchange value. In a request of its own, deleting a missing value succeeds.</summary>
internal sealed class DeleteCompareExchangeCommand : CompareExchangeCommand
{
    internal override KeyEffect Effect => KeyEffect.Remove;

    protected override bool IsContentWithNothing => IsAlone;

    /// <summary>Reads a delete of a batch.</summary>
    public static void Read(ref CommandText text) => Take<DeleteCompareExchangeCommand>(ref text);

    internal override void WriteAnswer(Utf8JsonWriter json, INamedDatabase database) => WriteAnswer(json, "CompareExchangeDELETE"u8);

    protected override byte[]? Write(DocumentTransaction documents, CompareExchangeRow stored, bool exists)
    {
        if (!exists)
        {
            return null;
        }

        byte[] old = stored.Value.ToArray();
        CompareExchangeWrites.Delete(documents, stored, Key.Span);
        return old;
    }
}
