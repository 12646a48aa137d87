using System.Diagnostics;
using System.Text.Json;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Commands;

/// <summary>One change that a request asks of a database. There is one subclass for each kind of change.</summary>
/// <remarks>
/// A kind is complete in its own file: how it is read from a batch, what it prepares, what it demands, how it is
/// applied, what it answers. The batch does not know the kinds; those that have a name on the wire are registered in
/// the kinds of batches.
/// <code>
/// made or parsed --Prepare--> ready --Apply--> applied --WriteAnswer--> answered
///                               |      +-----> refused --MakeRefusal--> answered
///                               +--IsDemandMet--> refused
/// </code>
/// IsDemandMet and Apply run on the writer's thread, the others on the request's. Apply may run more than once, after a
/// rollback: it sets all results anew each time. The memory a command points to belongs to the caller and stays
/// unchanged until the write has been answered. The object may be used again afterwards.
/// </remarks>
public abstract class DocumentCommand
{
    /// <summary>Bytes counted for each command besides those it carries.</summary>
    internal const int FixedBytes = 64;

    /// <summary>UTF-8 as the client sent it, for answers and messages; empty when there is none or the server makes
    /// it.</summary>
    public virtual ReadOnlyMemory<byte> Id => default;

    /// <summary>What <see cref="Effect"/> and <see cref="HasDemand"/> are about. Keys are compared as bytes within a
    /// batch.</summary>
    internal virtual ReadOnlyMemory<byte> Key => default;

    /// <summary>What the command does to the key.</summary>
    internal virtual KeyEffect Effect => KeyEffect.None;

    /// <summary>Whether <see cref="IsDemandMet"/> may say no. After <see cref="Prepare"/>.</summary>
    internal virtual bool HasDemand => false;

    /// <summary>Which transactions of clients the command may be part of.</summary>
    internal virtual TransactionModes Modes => TransactionModes.SingleNode;

    /// <summary>Whether <see cref="Key"/> is that of a compare exchange value: their keys are others than those of documents.</summary>
    internal virtual bool IsOfValue => false;

    /// <summary>Its writes depend on what is stored, and are computed before the batch is given to the
    /// writer.</summary>
    internal virtual bool IsComputed => false;

    /// <summary>Bytes that the command holds while it waits for the writer.</summary>
    internal virtual int SizeBytes => FixedBytes;

    /// <summary>Most bytes that <see cref="Prepare"/> takes of the memory that the commands of a batch share.</summary>
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
    /// <param name="earlier">What an earlier command of the batch will have done to the key; None: no earlier command
    /// touches it.</param>
    internal virtual bool IsDemandMet(DocumentTransaction documents, KeyEffect earlier) => true;

    /// <summary>Changes the transaction.</summary>
    /// <returns>Applied; or Conflict, NumbersExhausted or Refused, and then the batch is undone.</returns>
    internal abstract WriteStatus Apply(DocumentTransaction documents);

    /// <summary>Reads what is stored, after a rollback that this command's refusal caused.</summary>
    internal virtual void ReadActual(DocumentReadScope read)
    {
    }

    /// <summary>Why the command was refused, and what to do.</summary>
    /// <param name="batch">The one it is in.</param>
    internal virtual Refusal MakeRefusal(WriteBatch batch, INamedDatabase database) =>
        throw new UnreachableException($"A {GetType().Name} is never refused.");

    /// <summary>Writes the members of the command's result in the answer to a batch.</summary>
    internal virtual void WriteAnswer(Utf8JsonWriter json, INamedDatabase database) =>
        throw new UnreachableException($"A {GetType().Name} is in no batch of a client.");

    /// <summary>Clears everything, so that an idle object keeps no other memory alive.</summary>
    internal virtual void Clear()
    {
    }
}

/// <summary>What a command does to the key it names, as far as later commands of its batch can tell.</summary>
internal enum KeyEffect
{
    /// <summary>Nothing, or the key is not known in advance.</summary>
    None,

    /// <summary>It gets a new version.</summary>
    Write,

    /// <summary>It is gone afterwards.</summary>
    Remove,

    /// <summary>All keys that start with it are gone afterwards.</summary>
    RemovePrefix,
}

/// <summary>What clients ask of a transaction.</summary>
[Flags]
internal enum TransactionModes
{
    SingleNode = 1,

    /// <summary>Serialisable with all others of its kind.</summary>
    ClusterWide = 2,
}
