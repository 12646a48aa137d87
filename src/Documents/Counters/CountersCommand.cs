using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Counters;

/// <summary>Reads and changes counters of one document.</summary>
/// <remarks>It demands no version: the writer adds to the stored value, so that increments of any number of clients are right in any order. The document is
/// written again, once at the end of the batch, only when it gets or loses a counter.</remarks>
internal sealed class CountersCommand : ExtensionCommand
{
    /// <summary>The message for a request that reads all counters and also changes some.</summary>
    public const string ReadsAllProblem =
        "GetAll reads all counters of a document, and cannot be part of a transaction; send it in a request that only reads.";

    private List<CounterOperation> _operations = [];
    private List<CounterDetail> _details = [];
    private ReadOnlyMemory<byte> _id;
    private ReadOnlyMemory<byte> _key;
    private TextExtent _idExtent;
    private TextExtent _keyExtent;
    private int _nameBytes;
    private CounterFault _fault;
    private int _faulty; // operation
    private long _faultyValue;
    private Etag _lastEtag; // the etag of its last write; None when there was none
    private Etag _documentEtag;
    private byte[]? _documentVector;
    private ExtendedDocument? _extended;

    private enum CounterFault
    {
        None,
        DocumentMissing,
        Overflow,
        TooManyNames,
    }

    public override DocumentExtension Extension => CounterExtension.Instance;

    public override long Items => _operations.Count;

    public override ReadOnlyMemory<byte> Id => _id;

    internal override ReadOnlyMemory<byte> Key => _key;

    internal override int SizeBytes => FixedBytes + (_operations.Count * FixedBytes) + _nameBytes;

    public IReadOnlyList<CounterOperation> Operations => _operations;

    /// <summary>Whether it never changes anything.</summary>
    public bool IsRead => _operations.TrueForAll(operation => operation.IsRead);

    /// <summary>Whether it reads all counters of the document, which the writer's thread does not do.</summary>
    public bool ReadsAll => _operations.Exists(operation => operation.Kind == CounterOperationKind.GetAll);

    /// <summary>After it is applied, one detail for each operation except deletions.</summary>
    public IReadOnlyList<CounterDetail> Details => _details;

    public override DocumentVersion DocumentVersion =>
        _extended is { Etag: var etag } && etag != Etag.None ? _extended.Version : new DocumentVersion(_documentEtag, _documentVector);

    /// <summary>Reads the command of a batch or of a bulk insert.</summary>
    public static void Read(ref CommandText text)
    {
        (TextExtent id, TextExtent key) = text.ReadId();
        if (!text.TryOpen("Counters", out JsonCursor value))
        {
            text.Throw(-1, DocumentFormatError.InvalidRequest,
                $"Command {text.Index} has no Counters; send \"Counters\":{{\"DocumentId\":\"users/1\",\"Operations\":[...]}}.");
        }

        PooledBuffer buffer = text.Target.Buffer;
        value.Peek();
        int start = value.Position;
        (TextExtent inner, int operations) = CounterText.ReadMembers(ref value, buffer, "Counters");
        if (!inner.IsNull && !inner.SpanIn(buffer).SequenceEqual(id.SpanIn(buffer)))
        {
            text.Throw(start, DocumentFormatError.InvalidRequest,
                $"Command {text.Index} names one document in Id and another in DocumentId; send one command for each.");
        }

        CountersCommand command = text.Target.Add<CountersCommand>();
        value.Position = operations;
        command.Take(ref value, buffer, id, key);
        if (command.ReadsAll)
        {
            text.Throw(start, DocumentFormatError.InvalidRequest, $"Command {text.Index}: {ReadsAllProblem}");
        }
    }

    /// <summary>Reads the parts of a parsed command.</summary>
    /// <param name="value">A cursor at its operations; afterwards just after them.</param>
    public void Take(ref JsonCursor value, PooledBuffer buffer, TextExtent id, TextExtent key)
    {
        (_idExtent, _keyExtent) = (id, key);
        int before = buffer.Length;
        CounterText.ReadOperations(ref value, buffer, _operations);
        _nameBytes = buffer.Length - before;
    }

    /// <summary>Makes a command that was not parsed.</summary>
    public static CountersCommand Of(byte[] id, byte[] key, CounterOperation operation)
    {
        var command = new CountersCommand { _id = id, _key = key, _nameBytes = operation.Name.Length + operation.NameKey.Length };
        command._operations.Add(operation);
        return command;
    }

    internal override void Bind(PooledBuffer buffer)
    {
        _id = _idExtent.In(buffer);
        _key = _keyExtent.In(buffer);
        foreach (ref CounterOperation operation in CollectionsMarshal.AsSpan(_operations))
        {
            operation.Bind(buffer);
        }
    }

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        Reset();
        if (!documents.TryFind(Key.Span, out DocumentRow document))
        {
            return Refuse(CounterFault.DocumentMissing, 0);
        }

        _documentEtag = document.Etag;
        _documentVector = document.ChangeVector.IsEmpty ? null : document.ChangeVector.ToArray();
        _extended = documents.FindExtended(Key.Span);
        CounterWrites counters = CounterWrites.Of(documents);
        Span<byte> key = stackalloc byte[ExtensionKeys.KeyBytesMax];
        int prefix = ExtensionKeys.MakePrefix(Key.Span, key);
        if (documents.KeepsVersions && ChangesNames(counters, key, prefix))
        {
            // This is done before the change, because the stored version may have to be kept, which moves rows.
            documents.Extend(Key.ToArray(), CounterExtension.Instance);
            documents.TryFind(Key.Span, out document);
        }

        bool isOtherNames = false;
        for (int i = 0; i < _operations.Count && _fault == CounterFault.None; i++)
        {
            ReadOnlySpan<byte> name = _operations[i].NameKey.Span;
            name.CopyTo(key[prefix..]);
            isOtherNames |= Apply(counters, document, key[..(prefix + name.Length)], i);
        }

        if (isOtherNames && _fault == CounterFault.None)
        {
            _extended = documents.Extend(Key.ToArray(), CounterExtension.Instance);
        }

        return _fault == CounterFault.None ? WriteStatus.Applied : WriteStatus.Refused;
    }

    internal override Refusal MakeRefusal(WriteBatch batch, INamedDatabase database)
    {
        const string nothing = "Nothing of this transaction was written";
        string id = Encoding.UTF8.GetString(Id.Span);
        if (_fault == CounterFault.DocumentMissing)
        {
            return new Refusal(RefusalKind.DocumentMissing,
                $"There is no document '{id}' in database '{database.Name}', and only documents have counters. {nothing}; store the document first.");
        }

        CounterOperation operation = _operations[_faulty];
        string name = Encoding.UTF8.GetString(operation.Name.Span);
        return _fault == CounterFault.Overflow
            ? new Refusal(RefusalKind.CounterOverflow,
                $"Counter '{name}' of document '{id}' is {_faultyValue}, and adding {operation.Delta} leaves the range of a 64-bit number, " +
                $"{long.MinValue} to {long.MaxValue}. {nothing}; add less, or set the counter by a Put.")
            : new Refusal(RefusalKind.InvalidOperation,
                $"Counter '{name}' is one too many for document '{id}': the names of a document's counters have at most " +
                $"{CounterWrites.NamesBytesMax} bytes together. {nothing}; spread the counters over several documents.");
    }

    internal override void WriteAnswer(Utf8JsonWriter json, INamedDatabase database)
    {
        Span<byte> buffer = stackalloc byte[ChangeVector.EntryBytesMax];
        ReadOnlySpan<byte> document = database.Replica.VectorOf(DocumentVersion, buffer);
        json.WriteString("Type"u8, "Counters"u8);
        json.WriteString("Id"u8, Id.Span);
        json.WriteString("DocumentChangeVector"u8, document);
        json.WriteString("ChangeVector"u8, _lastEtag == Etag.None ? document : buffer[..database.Replica.Format(_lastEtag, buffer)]);
        json.WriteStartObject("CountersDetail"u8);
        json.WriteStartArray("Counters"u8);
        foreach (CounterDetail detail in _details)
        {
            // Official clients read members of every element.
            if (!detail.IsMissing)
            {
                CounterAnswers.Write(json, Id.Span, detail, valuesOf: null);
            }
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    internal override void Clear()
    {
        Reset();
        PooledLists.Clear(ref _operations);
        PooledLists.Clear(ref _details);
        (_id, _key) = (default, default);
        _nameBytes = 0;
    }

    private void Reset()
    {
        _details.Clear();
        _fault = CounterFault.None;
        (_lastEtag, _documentEtag, _documentVector, _extended) = (Etag.None, Etag.None, null, null);
    }

    private bool ChangesNames(CounterWrites counters, Span<byte> key, int prefix)
    {
        foreach (CounterOperation operation in _operations)
        {
            ReadOnlySpan<byte> name = operation.NameKey.Span;
            name.CopyTo(key[prefix..]);
            bool exists = counters.TryFind(key[..(prefix + name.Length)], out _);
            if (operation.Kind != CounterOperationKind.Get && exists == (operation.Kind == CounterOperationKind.Delete))
            {
                return true;
            }
        }

        return false;
    }

    // Returns true when the document has got or lost a counter.
    private bool Apply(CounterWrites counters, DocumentRow document, ReadOnlySpan<byte> key, int index)
    {
        CounterOperation operation = _operations[index];
        bool exists = counters.TryFind(key, out CounterRow stored);
        switch (operation.Kind)
        {
            case CounterOperationKind.Get:
                _details.Add(exists ? CounterDetail.Of(stored, operation.Name) with { Name = operation.Name } : default);
                return false;
            case CounterOperationKind.Delete:
                _lastEtag = exists ? counters.Delete(document, stored) : _lastEtag;
                return exists;
            case CounterOperationKind.Put:
                return Set(counters, document, stored, exists, key, index, operation.Delta);
            default:
                long before = exists ? stored.Value : 0;
                long after = unchecked(before + operation.Delta);
                if ((before ^ after) < 0 && (operation.Delta ^ after) < 0)
                {
                    _faultyValue = before;
                    Refuse(CounterFault.Overflow, index);
                    return false;
                }

                return Set(counters, document, stored, exists, key, index, after);
        }
    }

    private bool Set(
        CounterWrites counters, DocumentRow document, CounterRow stored, bool exists, ReadOnlySpan<byte> key, int index, long value)
    {
        CounterOperation operation = _operations[index];
        ReadOnlyMemory<byte> name = exists ? CounterDetail.Of(stored, operation.Name).Name : operation.Name;
        ChangeKind kind = operation.Kind == CounterOperationKind.Put || !exists ? ChangeKind.ExtensionPut : ChangeKind.ExtensionChange;
        if (exists)
        {
            _lastEtag = counters.Set(document, stored, value, kind);
        }
        else if (counters.TryAdd(document, key, name.Span, value, kind, out Etag etag))
        {
            _lastEtag = etag;
        }
        else
        {
            Refuse(CounterFault.TooManyNames, index);
            return false;
        }

        _details.Add(new CounterDetail(name, value, _lastEtag));
        return !exists;
    }

    private WriteStatus Refuse(CounterFault fault, int operation)
    {
        (_fault, _faulty) = (fault, operation);
        return WriteStatus.Refused;
    }
}
