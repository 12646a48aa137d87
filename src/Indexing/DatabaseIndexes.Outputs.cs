using System.Security.Cryptography;
using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Outputs;
using Jackdaw.Indexing.Records;
using Jackdaw.Indexing.Sources;
using Jackdaw.Storage;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Indexing;

/// <summary>Documents that indexes make of their groups: which collections are whose, and what becomes of them when an index goes.</summary>
internal sealed partial class DatabaseIndexes
{
    /// <summary>Documents that are deleted in one transaction.</summary>
    private const int CleanedMax = 256;

    private Task _cleaning = Task.CompletedTask; // under the gate
    private int _cleaners;

    /// <summary>Whether documents of indexes that are gone are still being deleted.</summary>
    public bool IsCleaning => Volatile.Read(ref _cleaners) > 0;

    private static OutputDefinition? OutputsOf(IndexRecord record) => record.IsAuto ? null : OutputDefinition.Of(IndexDefinitions.Read(record));

    private static IEnumerable<string> OutputCollectionsOf(IndexRecord? record) =>
        record is null || record.Replaces is not null || OutputsOf(record) is not { } outputs ? [] : outputs.Collections;

    /// <summary>Refuses what would have two indexes write to one collection, or indexes index what they make without end. Caller holds the gate.</summary>
    /// <param name="sources">What the definition reads.</param>
    private async Task CheckOutputsAsync(IndexDefinition wanted, IndexSources sources, CancellationToken cancellationToken)
    {
        if (OutputDefinition.Of(wanted) is not { } outputs)
        {
            return;
        }

        List<(string Name, OutputDefinition Outputs, IndexSources Sources)> others = [];
        foreach (DatabaseIndex index in _indexes.Values.Where(index => !IsSame(index, wanted.Name) && OutputsOf(index.Record) is not null))
        {
            await index.WaitForOpenAsync(s_sourcesPatience, cancellationToken).ConfigureAwait(false);
            others.Add((index.Name, OutputsOf(index.Record)!, index.Builder?.Sources ?? IndexSources.None));
        }

        foreach ((string name, OutputDefinition other, _) in others)
        {
            if (other.Collections.Intersect(outputs.Collections, StringComparer.OrdinalIgnoreCase).FirstOrDefault() is { } shared)
            {
                throw new IndexException(IndexFault.InvalidDefinition,
                    $"Index '{wanted.Name}' would write to collection '{shared}', which index '{name}' writes to; name another collection.");
            }
        }

        // From collection to collection, as long as some index reads one and writes another.
        var path = new List<string> { wanted.Name };
        var reached = new HashSet<string>(outputs.Collections, StringComparer.OrdinalIgnoreCase);
        while (!reached.Any(sources.MayRead))
        {
            if (others.FirstOrDefault(other => !path.Contains(other.Name) && reached.Any(other.Sources.MayRead)) is not { Name: not null } next)
            {
                return;
            }

            path.Add(next.Name);
            reached.UnionWith(next.Outputs.Collections);
        }

        string how = path.Count == 1 ? "it writes to" : $"follows from what it writes by way of {string.Join(", ", path.Skip(1))}";
        throw new IndexException(IndexFault.InvalidDefinition,
            $"Index '{wanted.Name}' reads collection '{reached.First(sources.MayRead)}', which {how}: that would never end. "
            + "Name another OutputReduceToCollection, or read other collections.");
    }

    private static bool IsSame(DatabaseIndex index, string name) =>
        name.Equals(index.Record.Replaces ?? index.Name, StringComparison.OrdinalIgnoreCase);

    // Records that say which collections have no owner any more, and those that are no longer true.
    private static (List<IndexRecord> Left, List<string> Taken) ChangeOfOwner(IndexRecord? gone, IndexRecord? next)
    {
        List<string> taken = [.. OutputCollectionsOf(next)];
        List<IndexRecord> left = [.. OutputCollectionsOf(gone).Except(taken, StringComparer.OrdinalIgnoreCase).Select(collection => new IndexRecord
        {
            Name = IndexRecord.LeftOutputsPrefix + collection,
            Folder = "left-" + Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(8)),
            Definition = "{}"u8.ToArray(),
            CreatedTicks = 0,
        })];
        return (left, [.. taken.Select(collection => IndexRecord.LeftOutputsPrefix + collection)]);
    }

    private void Clean(IEnumerable<IndexRecord> left)
    {
        foreach (IndexRecord record in left)
        {
            Interlocked.Increment(ref _cleaners);
            _cleaning = Task.WhenAll(_cleaning, Task.Run(() => CleanAsync(record), CancellationToken.None));
        }
    }

    // Deletes the documents of a collection that an index made which is gone. Never throws.
    private async Task CleanAsync(IndexRecord record)
    {
        try
        {
            Etag after = Etag.None;
            for (bool isEnd = false; !isEnd && !_stop.IsCancellationRequested;)
            {
                List<OutputDocument> gone = FindOutputs(record.LeftOutputs!, ref after, out isEnd);
                var command = new WriteOutputsCommand(record.Name, record.Folder, gone, isLast: isEnd);
                var batch = new WriteBatch { Commands = new DocumentCommand[] { command } };
                WriteOutcome outcome = await _host.Database.WriteAsync(batch, CancellationToken.None).ConfigureAwait(false);
                if (outcome.Status != WriteStatus.Applied)
                {
                    return; // Another index has the collection; or the next opening goes on.
                }
            }
        }
        catch (Exception failure) when (failure is IOException or StoragePoisonedException or CorruptionException or ObjectDisposedException)
        {
            _host.Logger.LogWarning("Documents of an index that is gone stay until database {Database} is opened again: {Reason}",
                _host.Database.Name, failure.Message.ReplaceLineEndings(" "));
        }
        finally
        {
            Interlocked.Decrement(ref _cleaners);
            Changed.Raise();
        }
    }

    private List<OutputDocument> FindOutputs(string collection, ref Etag after, out bool isEnd)
    {
        var found = new List<OutputDocument>();
        using DocumentReadScope read = _host.Database.BeginRead();
        ChangeCursor cursor = read.OpenChanges(Encoding.UTF8.GetBytes(collection.ToLowerInvariant()), after);
        isEnd = true;
        while (cursor.MoveNext())
        {
            after = cursor.Etag;
            if (!cursor.IsTombstone && WriteOutputsCommand.IsOutput(cursor.Document))
            {
                found.Add(new OutputDocument(cursor.Document.Id.ToArray(), cursor.Key.ToArray(), null) { Seen = cursor.Etag });
            }

            if (found.Count == CleanedMax)
            {
                isEnd = false;
                break;
            }
        }

        return found;
    }
}
