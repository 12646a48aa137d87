using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Commands;

/// <summary>Raises an identity by one, or sets it.</summary>
internal sealed class IdentityCommand : DocumentCommand
{
    private readonly string _name;
    private readonly byte[] _key;
    private readonly long? _seed;
    private readonly bool _force;

    private IdentityCommand(string name, long? seed, bool force)
    {
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        DocumentIdFault fault = DocumentIds.TryMakeKey(name, key, out int length);
        if (fault != DocumentIdFault.None || key[length - 1] != '|')
        {
            throw new ArgumentException(
                $"'{name}' cannot be the name of an identity: it ends with '|' and is short enough to be in an id.", nameof(name));
        }

        _name = name;
        _key = key[..length].ToArray();
        _seed = seed;
        _force = force;
    }

    /// <summary>After it is applied, the current value.</summary>
    public long Value { get; private set; }

    /// <summary>Raises an identity by one.</summary>
    /// <param name="name">The name with its trailing bar, in any casing.</param>
    /// <exception cref="ArgumentException">The name has no bar at its end, or could not be part of an id.</exception>
    public static IdentityCommand Next(string name) => new(name, null, force: false);

    /// <summary>Sets an identity.</summary>
    /// <param name="force">False to accept only a larger value.</param>
    /// <inheritdoc cref="Next" path="/exception"/>
    public static IdentityCommand Seed(string name, long value, bool force) => new(name, value, force);

    /// <summary>The refusal when an identity has no next value.</summary>
    public static Refusal Exhausted(string name, INamedDatabase database) => new(
        RefusalKind.InvalidOperation,
        $"The identity '{name}' of database '{database.Name}' has no next number: the largest is {long.MaxValue}. Nothing of this " +
            "transaction was written; use another name, or set it back with POST identity/seed and force=true.");

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        if (_seed is { } seed)
        {
            Value = documents.SeedIdentity(_key, seed, _force);
            return WriteStatus.Applied;
        }

        bool isFree = documents.TryNextIdentity(_key, out long value);
        Value = value;
        return isFree ? WriteStatus.Applied : WriteStatus.NumbersExhausted;
    }

    internal override Refusal MakeRefusal(WriteBatch batch, INamedDatabase database) => Exhausted(_name, database);
}
