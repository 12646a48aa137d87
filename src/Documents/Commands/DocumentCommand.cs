using System.Diagnostics;
using System.Text.Json;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Commands;

/// <summary>One change that a request asks of a database. There is one subclass for each kind of change.</summary>
/// <remarks>
/// A kind is complete in its own file: how it is read from a batch, what it prepares, what it demands, how it is applied, and what it answers. The batch does
/// not know the kinds; those with a name in the protocol are registered in the kinds of batches.
/// <code>
/// made or parsed --Prepare--> ready --Apply--> applied --WriteAnswer--> answered
///                               |      +-----> refused --MakeRefusal--> answered
///                               +--IsDemandMet--> refused
/// </code>
/// IsDemandMet and Apply run on the writer's thread, the others on the request's. Apply may run more than once, after a rollback, and sets all results again
/// each time. The memory to which a command points belongs to the caller, and must not change until the write has been answered. The object may be used again
/// afterwards.
/// </remarks>
public abstract class DocumentCommand
{
    /// <summary>The bytes that are counted for each command in addition to its own.</summary>
    internal const int FixedBytes = 64;

    /// <summary>The id in UTF-8 as the client sent it, for answers and messages; empty when there is none, or when the server makes it.</summary>
    public virtual ReadOnlyMemory<byte> Id => default;

    /// <summary>The key to which <see cref="Effect"/> and <see cref="HasDemand"/> refer. Within a batch, keys are compared as bytes.</summary>
    internal virtual ReadOnlyMemory<byte> Key => default;

    /// <summary>The effect of the command on the key.</summary>
    internal virtual KeyEffect Effect => KeyEffect.None;

    /// <summary>Whether <see cref="IsDemandMet"/> may return false. Valid after <see cref="Prepare"/>.</summary>
    internal virtual bool HasDemand => false;

    /// <summary>The kinds of transactions in which the command may be.</summary>
    internal virtual TransactionModes Modes => TransactionModes.SingleNode;

    /// <summary>Whether <see cref="Key"/> belongs to a compare exchange value. A document may have the same key.</summary>
    internal virtual bool IsOfValue => false;

    /// <summary>Whether the writes of the command depend on stored documents, so that they are computed before the writer gets the batch.</summary>
    internal virtual bool IsComputed => false;

    /// <summary>The bytes that the command holds while it waits for the writer.</summary>
    internal virtual int SizeBytes => FixedBytes;

    /// <summary>Bytes that follow it in a bulk insert, as the content of an attachment does.</summary>
    internal virtual long ContentLength => 0;

    /// <summary>The most bytes that <see cref="Prepare"/> takes from the memory that the commands of a batch share.</summary>
    internal virtual int SharedBytesMax => 0;

    /// <summary>Finds the parts of a parsed command in the buffer, which can move whenever a command is
    /// added.</summary>
    internal virtual void Bind(PooledBuffer buffer)
    {
    }

    /// <summary>Does the work that does not need the writer's thread.</summary>
    internal virtual void Prepare(CommandPreparation preparation)
    {
    }

    /// <summary>Checks a demand before the batch writes anything.</summary>
    /// <param name="earlier">The effect of an earlier command of the batch on the key; None when no earlier command touches it.</param>
    internal virtual bool IsDemandMet(DocumentTransaction documents, KeyEffect earlier) => true;

    /// <summary>Changes the transaction.</summary>
    /// <returns>Applied; or Conflict, NumbersExhausted or Refused, after which the batch is undone.</returns>
    internal abstract WriteStatus Apply(DocumentTransaction documents);

    /// <summary>Reads the stored version, after a rollback that this command's refusal caused.</summary>
    internal virtual void ReadActual(DocumentReadScope read)
    {
    }

    /// <summary>Explains why the command was refused, and what to do.</summary>
    /// <param name="batch">The batch of the command.</param>
    internal virtual Refusal MakeRefusal(WriteBatch batch, INamedDatabase database) =>
        throw new UnreachableException($"A {GetType().Name} is never refused.");

    /// <summary>Writes the members of the command's result in the answer to a batch.</summary>
    internal virtual void WriteAnswer(Utf8JsonWriter json, INamedDatabase database) =>
        throw new UnreachableException($"A {GetType().Name} is in no batch of a client.");

    /// <summary>Clears all references, so that an idle object keeps no other memory alive.</summary>
    internal virtual void Clear()
    {
    }
}

/// <summary>The effect of a command on its key, as far as later commands of its batch can tell.</summary>
internal enum KeyEffect
{
    /// <summary>There is no effect, or the key is not known in advance.</summary>
    None,

    /// <summary>The key gets a new version.</summary>
    Write,

    /// <summary>The key is removed.</summary>
    Remove,

    /// <summary>All keys that start with it are removed.</summary>
    RemovePrefix,
}

/// <summary>The kinds of transactions for which clients ask.</summary>
[Flags]
internal enum TransactionModes
{
    SingleNode = 1,

    /// <summary>Serialisable with all others of its kind.</summary>
    ClusterWide = 2,
}
