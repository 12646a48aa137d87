using System.Buffers.Binary;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage;
using Jackdaw.Storage.Trees;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Documents.Database;

/// <summary>Removes contents of attachments without references in the background.</summary>
public sealed partial class DocumentDatabase
{
    private readonly ContentCollector _collector;

    /// <summary>Removes as many contents as one command may; returns true when there may be more.</summary>
    internal async ValueTask<bool> CollectAsync(CancellationToken stop)
    {
        try
        {
            List<long> numbers = FindLoose();
            if (numbers.Count == 0)
            {
                return false;
            }

            var collect = new CollectContentsCommand(numbers);
            WriteOutcome outcome = await WriteAsync(new WriteBatch { Commands = new DocumentCommand[] { collect } }, stop).ConfigureAwait(false);
            return outcome.Status == WriteStatus.Applied && (!collect.IsComplete || numbers.Count == CollectContentsCommand.ContentsMax);
        }
        catch (Exception e) when (e is not (ObjectDisposedException or StoragePoisonedException or OperationCanceledException))
        {
            _logger.LogWarning("Database {Database} could not remove contents of attachments, and tries again in a minute: {Reason}",
                Name, e.Message.ReplaceLineEndings(" "));
            return false;
        }
    }

    /// <summary>The numbers of loose contents that nobody holds.</summary>
    private List<long> FindLoose()
    {
        var numbers = new List<long>();
        using DocumentReadScope read = BeginRead();
        if (read.Transaction.Trees.FindTree(ContentTable.LooseName) is not { } loose)
        {
            return numbers;
        }

        Span<byte> first = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(first, 1); // the key 0 has the last number that was given out
        using BTreeCursor cursor = loose.OpenCursor();
        for (bool has = cursor.Seek(first); has && numbers.Count < CollectContentsCommand.ContentsMax; has = cursor.MoveNext())
        {
            long number = BinaryPrimitives.ReadInt64BigEndian(cursor.Key);
            if (!ContentHolds.IsHeld(number))
            {
                numbers.Add(number);
            }
        }

        return numbers;
    }
}
