using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Documents.Database;

/// <summary>Removes purged revisions of deleted documents in the background.</summary>
public sealed partial class DocumentDatabase
{
    /// <summary>Removes as many revisions as one command may; returns true when there may be more.</summary>
    internal async ValueTask<bool> PurgeAsync(CancellationToken stop)
    {
        try
        {
            if (FindPurge() is not { } key)
            {
                return false;
            }

            var batch = new WriteBatch { Commands = new DocumentCommand[] { new PurgeRevisionsCommand(key) } };
            WriteOutcome outcome = await WriteAsync(batch, stop).ConfigureAwait(false);
            return outcome.Status == WriteStatus.Applied;
        }
        catch (Exception e) when (e is not (ObjectDisposedException or StoragePoisonedException or OperationCanceledException))
        {
            _logger.LogWarning("Database {Database} could not remove purged revisions, and tries again in a minute: {Reason}",
                Name, e.Message.ReplaceLineEndings(" "));
            return false;
        }
    }

    private async ValueTask<bool> CollectAllAsync(CancellationToken stop)
    {
        bool arePurged = await PurgeAsync(stop).ConfigureAwait(false);
        return await CollectAsync(stop).ConfigureAwait(false) || arePurged;
    }

    private byte[]? FindPurge()
    {
        using DocumentReadScope read = BeginRead();
        return new RevisionTrees(read.Transaction.Trees).FindPurge();
    }
}
