using System.Diagnostics;
using Jackdaw.Documents.Commands;

namespace Jackdaw.Documents.ClusterWide;

/// <summary>Turns the commands that a client sent into a transaction that is serialisable with all others of its kind.</summary>
internal static class ClusterWideTransaction
{
    /// <summary>Makes the batch to be written, in the order of the request.</summary>
    /// <param name="isAtomic">Whether documents are guarded.</param>
    public static WriteBatch Make(ReadOnlySpan<DocumentCommand> commands, bool isAtomic)
    {
        var written = new DocumentCommand[commands.Length];
        for (int i = 0; i < commands.Length; i++)
        {
            written[i] = commands[i] switch
            {
                KeyedCommand ofDocument => new GuardedWrite(ofDocument, isAtomic),
                IClusterWideCommand => commands[i],
                _ => throw new UnreachableException($"A {commands[i].GetType().Name} cannot be part of a cluster-wide transaction."),
            };
        }

        return new WriteBatch { Commands = written };
    }

    /// <summary>The index of a transaction that was applied.</summary>
    public static long IndexOf(WriteBatch batch) => ((IClusterWideCommand)batch.Commands.Span[0]).TransactionIndex;
}
