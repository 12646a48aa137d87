using Jackdaw.Server.Documents.Json;
using Jackdaw.Storage.Transactions;
using MergedCommand = Jackdaw.Storage.Merging.WriteCommand;

namespace Jackdaw.Server.Documents.Storage;

/// <summary>Raises or seeds an identity.</summary>
internal sealed class IdentityCommand : MergedCommand
{
    private readonly DocumentWriter _writer;
    private readonly byte[] _key;
    private readonly long? _seed;
    private readonly bool _force;

    /// <param name="name">With its trailing bar, any casing.</param>
    /// <param name="seed">Null: the next value.</param>
    /// <exception cref="ArgumentException">The name has no bar at its end, or could not be part of an id.</exception>
    public IdentityCommand(DocumentWriter writer, string name, long? seed, bool force)
    {
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        DocumentIdFault fault = DocumentIds.TryMakeKey(name, key, out int length);
        if (fault != DocumentIdFault.None || key[length - 1] != '|')
        {
            throw new ArgumentException(
                $"'{name}' cannot be the name of an identity: it ends with '|' and is short enough to be in an id.");
        }

        _writer = writer;
        _key = key[..length].ToArray();
        _seed = seed;
        _force = force;
    }

    /// <summary>After the execution.</summary>
    public long Value { get; private set; }

    /// <summary>There is no next value; nothing was changed.</summary>
    public bool IsExhausted { get; private set; }

    protected override void Execute(WriteTransaction transaction)
    {
        DocumentTransaction documents = _writer.For(transaction);
        if (_seed is { } seed)
        {
            Value = documents.SeedIdentity(_key, seed, _force);
            return;
        }

        IsExhausted = !documents.TryNextIdentity(_key, out long value);
        Value = value;
    }
}
