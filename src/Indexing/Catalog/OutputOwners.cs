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

namespace Jackdaw.Indexing.Catalog;

/// <summary>Which index owns which collection of documents that indexes make of their groups. The documents of a collection that loses its
/// owner are deleted in the background. Any thread.</summary>
/// <remarks>
/// 1. A collection has one owner at most: two indexes would overwrite each other's documents.
/// 2. The transaction that takes a collection from its owner writes a record for the collection. The record exists until the documents are
///    deleted, so that the next opening of the database continues. The transaction that gives the collection to a new owner removes it.
/// 3. No lock of its own: <see cref="Clean"/> and the checks are called by the one change that holds the gate of the catalog, or while the
///    database is opened.
/// </remarks>
internal sealed class OutputOwners(IndexHost host)
{
    /// <summary>Documents that are deleted in one transaction.</summary>
    private const int CleanedMax = 256;

    /// <summary>How long putting a definition waits for the sources of other indexes to become known.</summary>
    private static readonly TimeSpan s_sourcesPatience = TimeSpan.FromSeconds(15);

    private Task _cleaning = Task.CompletedTask; // written under the gate of the catalog
    private int _cleaners;

    /// <summary>Raised when the documents of a collection without an owner are deleted, or could not be.</summary>
    public event Action? Cleaned;

    /// <summary>Whether documents of deleted indexes are still being deleted.</summary>
    public bool IsCleaning => Volatile.Read(ref _cleaners) > 0;

    /// <summary>Completes when nothing is being deleted any more. To be called when no change of the catalog can begin.</summary>
    public Task WaitForCleaningAsync() => _cleaning;

    /// <summary>Refuses a definition that writes to another index's collection, or that would lead to endless work because indexes read what
    /// they write.</summary>
    /// <param name="wanted">The definition.</param>
    /// <param name="sources">What it reads.</param>
    /// <param name="indexes">All indexes that there are.</param>
    /// <exception cref="IndexException">The definition is refused.</exception>
    public static async Task CheckAsync(
        IndexDefinition wanted, IndexSources sources, IReadOnlyList<DatabaseIndex> indexes, CancellationToken cancellationToken)
    {
        if (OutputDefinition.Of(wanted) is not { } outputs)
        {
            return;
        }

        List<Writer> others = [];
        foreach (DatabaseIndex index in indexes.Where(index => !IsSame(index, wanted.Name) && OutputsOf(index.Record) is not null))
        {
            await index.WaitForOpenAsync(s_sourcesPatience, cancellationToken).ConfigureAwait(false);
            others.Add(new Writer(index.Name, OutputsOf(index.Record)!, index.Builder?.Sources ?? IndexSources.None));
        }

        CheckOwners(wanted, outputs, others);
        CheckCircles(wanted, outputs, sources, others);
    }

    /// <summary>What has to be written and removed when an index goes, another one comes, or one takes the place of the other.</summary>
    /// <param name="gone">The index that goes; null for none.</param>
    /// <param name="next">The index that comes; null for none.</param>
    /// <returns>Records of the collections that have no owner any more, and names of such records that are not true any more.</returns>
    public static (List<IndexRecord> Left, List<string> Taken) ChangeOwner(IndexRecord? gone, IndexRecord? next)
    {
        List<string> taken = [.. CollectionsOf(next)];
        List<IndexRecord> left = [.. CollectionsOf(gone).Except(taken, CollectionNameComparer.Instance).Select(collection => new IndexRecord
        {
            Name = IndexRecord.LeftOutputsPrefix + collection,
            Folder = "left-" + Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(8)),
            Definition = "{}"u8.ToArray(),
            CreatedTicks = 0,
        })];
        return (left, [.. taken.Select(collection => IndexRecord.LeftOutputsPrefix + collection)]);
    }

    /// <summary>Begins to delete the documents of collections that have no owner any more.</summary>
    /// <param name="left">The stored records of these collections.</param>
    public void Clean(IEnumerable<IndexRecord> left)
    {
        foreach (IndexRecord record in left)
        {
            Interlocked.Increment(ref _cleaners);
            _cleaning = Task.WhenAll(_cleaning, Task.Run(() => CleanAsync(record), CancellationToken.None));
        }
    }

    private static OutputDefinition? OutputsOf(IndexRecord record) => record.IsAuto ? null : OutputDefinition.Of(IndexDefinitions.Read(record));

    // A replacement owns nothing until it has taken the place of its index.
    private static IEnumerable<string> CollectionsOf(IndexRecord? record) =>
        record is null || record.Replaces is not null || OutputsOf(record) is not { } outputs ? [] : outputs.Collections;

    private static bool IsSame(DatabaseIndex index, string name) =>
        name.Equals(index.Record.Replaces ?? index.Name, StringComparison.OrdinalIgnoreCase);

    private static void CheckOwners(IndexDefinition wanted, OutputDefinition outputs, List<Writer> others)
    {
        foreach (Writer other in others)
        {
            if (other.Outputs.Collections.Intersect(outputs.Collections, CollectionNameComparer.Instance).FirstOrDefault() is { } shared)
            {
                throw new IndexException(IndexFault.InvalidDefinition,
                    $"Index '{wanted.Name}' would write to collection '{shared}', which index '{other.Name}' writes to; name another collection.");
            }
        }
    }

    // From collection to collection, as long as some index reads one and writes another.
    private static void CheckCircles(IndexDefinition wanted, OutputDefinition outputs, IndexSources sources, List<Writer> others)
    {
        var path = new List<string> { wanted.Name };
        var reached = new HashSet<string>(outputs.Collections, CollectionNameComparer.Instance);
        while (!reached.Any(sources.MayRead))
        {
            if (others.FirstOrDefault(other => !path.Contains(other.Name) && reached.Any(other.Sources.MayRead)) is not { } next)
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

    // Never throws.
    private async Task CleanAsync(IndexRecord record)
    {
        try
        {
            Etag after = Etag.None;
            for (bool isEnd = false; !isEnd && !host.Closing.IsCancellationRequested;)
            {
                List<OutputDocument> gone = FindOutputs(record.LeftOutputs!, ref after, out isEnd);
                var command = new WriteOutputsCommand(record.Name, record.Folder, gone, isLast: isEnd);
                var batch = new WriteBatch { Commands = new DocumentCommand[] { command } };
                WriteOutcome outcome = await host.Database.WriteAsync(batch, CancellationToken.None).ConfigureAwait(false);
                if (outcome.Status != WriteStatus.Applied)
                {
                    return; // Another index owns the collection by now; otherwise the next opening of the database continues.
                }
            }
        }
        catch (Exception failure) when (failure is IOException or StoragePoisonedException or CorruptionException or ObjectDisposedException)
        {
            host.Logger.LogWarning("Documents of a deleted index stay until database {Database} is opened again: {Reason}",
                host.Database.Name, failure.Message.ReplaceLineEndings(" "));
        }
        finally
        {
            Interlocked.Decrement(ref _cleaners);
            Cleaned?.Invoke();
        }
    }

    private List<OutputDocument> FindOutputs(string collection, ref Etag after, out bool isEnd)
    {
        var found = new List<OutputDocument>();
        using DocumentReadScope read = host.Database.BeginRead();
        ChangeCursor cursor = read.OpenChanges(Encoding.UTF8.GetBytes(collection), after);
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

    /// <summary>An index that makes documents, and what it reads.</summary>
    private sealed record Writer(string Name, OutputDefinition Outputs, IndexSources Sources);
}
