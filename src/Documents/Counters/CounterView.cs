using System.Text;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Patching;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Scripting;
using Jackdaw.Scripting.Patches;

namespace Jackdaw.Documents.Counters;

/// <summary>The counters as scripts of patches see them. Notes the etags of those that were read.</summary>
/// <remarks>An increment alone reads nothing, so that nobody's increments are in the way of others.</remarks>
internal sealed class CounterView(IReadableDatabase database, DocumentReadScope read) : ExtensionView(CounterExtension.Instance)
{
    /// <summary>The functions of scripts.</summary>
    public static readonly IReadOnlyList<string> Functions = [IncrementFunction, DeleteFunction];

    private const string IncrementFunction = "incrementCounter";
    private const string DeleteFunction = "deleteCounter";
    private const string ValueFunction = "counter";
    private const string RawFunction = "counterRaw";

    private readonly Dictionary<byte[], Foreseen> _changes = new(ByteTextComparer.Instance);
    private readonly Dictionary<byte[], Etag> _read = new(ByteTextComparer.Instance);
    private readonly LastPrefixes _removed = new(); // beginnings of keys of counters
    private CounterReads? _snapshot;
    private int _step;

    public override IEnumerable<DocumentCommand> MakeChecks() => _read.Select(one => new CheckCounterCommand(one.Key, one.Value));

    public override ReadOnlyMemory<byte> Call(string function, PatchArguments arguments, PatchHost host)
    {
        string id = arguments.Id;
        string name = arguments.Text(1);
        if (function == IncrementFunction)
        {
            long delta = arguments.Has(2) ? arguments.WholeNumber(2) : 1;
            host.Extend(id, Change(id, name, CounterOperationKind.Increment, delta), "IncrementCounter", name);
            return "true"u8.ToArray();
        }

        bool wasThere = Find(PatchHost.KeyOf(Encoding.UTF8.GetBytes(id)), Encoding.UTF8.GetBytes(name)) is not null;
        if (wasThere)
        {
            host.Extend(id, Change(id, name, CounterOperationKind.Delete, 0), "DeleteCounter", name);
        }

        return wasThere ? "true"u8.ToArray() : "false"u8.ToArray();
    }

    public override ReadOnlyMemory<byte>? Read(string function, string id, string name)
    {
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        bool isRaw = function == RawFunction;
        long? value = (isRaw || function == ValueFunction) && DocumentIds.TryMakeKey(id, key, out int length) == DocumentIdFault.None
            ? Find(key[..length], Encoding.UTF8.GetBytes(name))
            : null;
        return value is { } number
            ? CounterAnswers.ValueOf(number, isRaw ? database.Replica : null)
            : (ReadOnlyMemory<byte>?)null;
    }

    // The value of a counter; null when there is none. A name that no counter can have is not found.
    private long? Find(ReadOnlySpan<byte> document, ReadOnlySpan<byte> name)
    {
        Span<byte> buffer = stackalloc byte[ExtensionKeys.KeyBytesMax];
        if (ExtensionKeys.TryMake(document, name, buffer, out int length) != DocumentIdFault.None)
        {
            return null;
        }

        ReadOnlySpan<byte> key = buffer[..length];
        return FindChange(key) is not { } change ? FindStored(document, name, key)
            : change.IsWhole ? change.Value
            : unchecked((FindStored(document, name, key) ?? 0) + change.Value);
    }

    public override void Foresee(ExtensionCommand command)
    {
        foreach (CounterOperation operation in ((CountersCommand)command).Operations)
        {
            Foresee(command.Key.Span, operation);
        }
    }

    private CountersCommand Change(string id, string name, CounterOperationKind kind, long delta)
    {
        byte[] document = Encoding.UTF8.GetBytes(id);
        byte[] key = PatchHost.KeyOf(document);
        byte[] given = Encoding.UTF8.GetBytes(name);
        Span<byte> lower = stackalloc byte[DocumentIds.KeyBytesMax];
        DocumentIdFault fault = DocumentIds.TryMakeKey(given, lower, out int length);
        if (fault != DocumentIdFault.None)
        {
            throw new JavaScriptException(ScriptError.Helper, CounterNames.Describe(fault), null);
        }

        CounterOperation operation = CounterOperation.Of(kind, given, lower[..length].ToArray(), delta);
        Foresee(key, operation);
        return CountersCommand.Of(document, key, operation);
    }

    private void Foresee(ReadOnlySpan<byte> document, in CounterOperation operation)
    {
        if (operation.IsRead)
        {
            return;
        }

        byte[] key = new byte[document.Length + 1 + operation.NameKey.Length];
        operation.NameKey.Span.CopyTo(key.AsSpan(ExtensionKeys.MakePrefix(document, key)));
        Foreseen before = FindChange(key) ?? default;
        int step = ++_step;
        _changes[key] = operation.Kind switch
        {
            CounterOperationKind.Delete => new Foreseen(IsWhole: true, null, step),
            CounterOperationKind.Put => new Foreseen(IsWhole: true, operation.Delta, step),
            _ => new Foreseen(before.IsWhole, unchecked((before.Value ?? 0) + operation.Delta), step), // The writer finds overflows.
        };
    }

    public override void Remove(ReadOnlySpan<byte> document)
    {
        byte[] prefix = new byte[document.Length + 1];
        ExtensionKeys.MakePrefix(document, prefix);
        RemoveAll(prefix);
    }

    public override void RemoveAll(ReadOnlySpan<byte> prefix) => _removed.Set(prefix, ++_step);

    // Null when nothing has changed the counter, or nothing since it was deleted.
    private Foreseen? FindChange(ReadOnlySpan<byte> key) =>
        _changes.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(key, out Foreseen change) && change.Step > _removed.LastOf(key)
            ? change
            : null;

    private long? FindStored(ReadOnlySpan<byte> document, ReadOnlySpan<byte> name, ReadOnlySpan<byte> key)
    {
        if (_removed.LastOf(key) >= 0)
        {
            return null;
        }

        _snapshot ??= new CounterReads(read.Transaction);
        bool isThere = _snapshot.TryFind(document, name, out CounterRow row);
        _read.GetAlternateLookup<ReadOnlySpan<byte>>()[key] = isThere ? row.Etag : Etag.None;
        return isThere ? row.Value : null;
    }

    /// <param name="IsWhole">True when the value is the new value of the counter; false when it is added to the stored one.</param>
    /// <param name="Value">Null when there is no counter.</param>
    /// <param name="Step">The step of the batch that changes it.</param>
    private readonly record struct Foreseen(bool IsWhole, long? Value, int Step);
}
