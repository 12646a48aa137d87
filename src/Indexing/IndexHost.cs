using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Records;
using Jackdaw.Indexing.Running;
using Jackdaw.Indexing.Settings;
using Jackdaw.Storage.Environments;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Indexing;

/// <summary>What all indexes of one database use.</summary>
/// <param name="Database">The database with the documents.</param>
/// <param name="Storage">The storage of the documents. The storages of the indexes are its branches.</param>
/// <param name="Workers">The threads of all indexes of the process.</param>
internal sealed record IndexHost(DocumentDatabase Database, StorageEnvironment Storage, IndexingWorkers Workers, TimeProvider Time, ILogger Logger)
{
    private volatile MergedSettings? _merged; // one reference, because any thread reads and replaces it

    /// <summary>The compiled analyzers that users wrote.</summary>
    public CompiledAnalyzers Analyzers { get; } = new(Database);

    /// <summary>The compiled sorters that users wrote.</summary>
    public CompiledCodes<CompiledSorter> Sorters { get; } = new(Database, CodeTable.Sorters, CompiledSorter.CompileAsync);

    /// <summary>Settings of the server.</summary>
    public IndexingSettings ServerSettings { get; init; } = new();

    /// <summary>The current settings of the database over those of the server.</summary>
    public IndexingSettings Settings
    {
        get
        {
            IReadOnlyDictionary<string, string?> texts = Database.Settings.Texts;
            if (_merged is not { } merged || !ReferenceEquals(merged.Texts, texts))
            {
                // Settings that cannot be used were refused when the record of the database was put.
                _merged = merged = new MergedSettings(texts, ServerSettings.Over(texts, out _));
            }

            return merged.Settings;
        }
    }

    /// <summary>Cancelled when the database begins to close. Set once, when it opens.</summary>
    public CancellationToken Closing { get; set; }

    /// <summary>What the indexes have done.</summary>
    public IndexingWork Work { get; } = new();

    /// <summary>Folder of all indexes of the database.</summary>
    public string Folder => $"{Storage.Path}/{FolderName}";

    /// <summary>The name of <see cref="Folder"/> in that of the database.</summary>
    public const string FolderName = "Indexes";

    /// <summary>Stores definitions with the documents.</summary>
    /// <param name="what">The definitions, as the subject of a sentence: "The definition".</param>
    /// <exception cref="IndexException">They could not be stored; nothing was changed.</exception>
    public async Task StoreAsync(DocumentCommand command, string what)
    {
        var batch = new WriteBatch { Commands = new[] { command } };
        WriteOutcome outcome = await Database.WriteAsync(batch, CancellationToken.None).ConfigureAwait(false);
        if (outcome.Status != WriteStatus.Applied)
        {
            throw new IndexException(IndexFault.Unavailable,
                $"{what} could not be stored ({outcome.Status}), and nothing was changed; try again in a moment.");
        }
    }

    private sealed record MergedSettings(IReadOnlyDictionary<string, string?> Texts, IndexingSettings Settings);
}
