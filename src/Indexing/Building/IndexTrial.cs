using System.Diagnostics;
using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Indexing.Sources;

namespace Jackdaw.Indexing.Building;

/// <summary>An entry that a document gives.</summary>
/// <param name="Document">The id of the document.</param>
/// <param name="Json">Its fields as a JSON object, before they are analyzed.</param>
internal readonly record struct TriedEntry(string Document, byte[] Json);

/// <summary>A group of the rows that were mapped.</summary>
/// <param name="Rows">How many there were.</param>
/// <param name="Json">The reduced row as a JSON object.</param>
internal readonly record struct TriedGroup(int Rows, byte[] Json);

/// <summary>Runs a definition on some documents and writes nothing, so that its author sees what it makes. One thread.</summary>
/// <param name="mapping">The compiled definition; disposed by the caller.</param>
/// <param name="archived">Which documents it maps.</param>
internal sealed class IndexTrial(IndexMapping mapping, ArchivedDataProcessing archived) : IDisposable
{
    /// <summary>The most entries that are kept: a person reads some of them.</summary>
    public const int EntriesMax = 1000;

    /// <summary>The bytes of entries that are kept.</summary>
    private const int BytesMax = 4 << 20;

    /// <summary>How long a trial runs: somebody waits for it.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    private readonly List<TriedEntry> _entries = [];
    private readonly List<MappingFailure> _failures = [];
    private readonly long _began = Stopwatch.GetTimestamp();
    private readonly Dictionary<string, List<ReadOnlyMemory<byte>>> _rows = [];
    private SnapshotLoader? _loader;
    private MappingRun? _run;
    private long _bytes;

    /// <summary>Documents that were mapped.</summary>
    public int Documents { get; private set; }

    /// <summary>Whether the trial ended before all documents that were wanted, because of its bounds.</summary>
    public bool IsCut { get; private set; }

    public IReadOnlyList<TriedEntry> Entries => _entries;

    public IReadOnlyList<MappingFailure> Failures => _failures;

    /// <summary>Maps the newest documents of each collection that the definition reads, then reduces what they give.</summary>
    /// <param name="database">The database of the documents.</param>
    /// <param name="read">The snapshot.</param>
    /// <param name="wanted">The most documents, of all collections together.</param>
    /// <param name="ended">Ends the trial between two documents.</param>
    public IReadOnlyList<TriedGroup> Run(IReadableDatabase database, DocumentReadScope read, int wanted, CancellationToken ended)
    {
        _loader = new SnapshotLoader(database) { Snapshot = read };
        _run = mapping.BeginRun(_loader);
        IReadOnlyList<CollectionSource> sources = mapping.Sources.Documents;
        for (int i = 0; i < sources.Count && !IsCut; i++)
        {
            int share = (wanted / sources.Count) + (i < wanted % sources.Count ? 1 : 0);
            using DocumentCursor cursor = read.OpenByEtag(Encoding.UTF8.GetBytes(sources[i].Collection), EtagOrder.Descending, Etag.Maximum);
            while (share > 0 && !IsCut && cursor.MoveNext())
            {
                ended.ThrowIfCancellationRequested();
                share -= Map(read, cursor.Current) ? 1 : 0;
                IsCut |= IsLate; // documents without a row, and archived ones, take time too
            }
        }

        return ReduceAll(ended);
    }

    public void Dispose() => _run?.Dispose();

    private bool IsLate => Stopwatch.GetElapsedTime(_began) > s_patience;

    private List<TriedGroup> ReduceAll(CancellationToken ended)
    {
        var groups = new List<TriedGroup>();
        foreach (List<ReadOnlyMemory<byte>> rows in _rows.Values)
        {
            ended.ThrowIfCancellationRequested();
            if (Reduce(rows) is { } group)
            {
                groups.Add(group);
            }

            if (IsLate)
            {
                IsCut = true;
                break;
            }
        }

        return groups;
    }

    // False: the index does not take the document.
    private bool Map(DocumentReadScope read, in StoredDocument document)
    {
        if (!BatchWork.Takes(archived, document))
        {
            return false;
        }

        Documents++;
        DocumentOrigin origin = _loader!.OriginOf(document);
        try
        {
            if (mapping.Sources.Items is { } source)
            {
                using ItemCursor items = source.OpenItems(read, document);
                while (!IsCut && items.MoveNext())
                {
                    AddRows(items.Json, origin with { Item = items.Name });
                }
            }
            else
            {
                AddRows(_loader.TextOf(document, mapping.ReadsKeptMetadata), origin);
            }
        }
        catch (Exception failure) when (BatchWork.IsOfDefinition(failure))
        {
            _failures.Add(new MappingFailure(origin.Id, "Map", failure.Message));
        }

        return true;
    }

    private void AddRows(ReadOnlySpan<byte> json, in DocumentOrigin origin)
    {
        _run!.Begin(json, origin);
        while (!IsCut && _run.MoveNext())
        {
            byte[] row = mapping.HasReduce ? _run.WriteRow() : _run.Current.ToJson();
            _entries.Add(new TriedEntry(origin.Id, row));
            _bytes += row.Length;
            IsCut = _entries.Count == EntriesMax || _bytes > BytesMax || IsLate;
            if (mapping.HasReduce)
            {
                string key = _run.KeyOf(row);
                if (!_rows.TryGetValue(key, out List<ReadOnlyMemory<byte>>? group))
                {
                    _rows.Add(key, group = []);
                }

                group.Add(row);
            }
        }
    }

    private TriedGroup? Reduce(List<ReadOnlyMemory<byte>> rows)
    {
        try
        {
            return _run!.Reduce(rows) is { } reduced ? new TriedGroup(rows.Count, reduced) : null;
        }
        catch (Exception failure) when (BatchWork.IsOfDefinition(failure))
        {
            _failures.Add(new MappingFailure(null, "Reduce", failure.Message));
            return null;
        }
    }
}
