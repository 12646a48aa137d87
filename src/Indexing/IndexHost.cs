using Jackdaw.Documents.Database;
using Jackdaw.Indexing.Running;
using Jackdaw.Indexing.Settings;
using Jackdaw.Storage.Environments;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Indexing;

/// <summary>What the indexes of one database work with.</summary>
/// <param name="Database">Its documents.</param>
/// <param name="Storage">Their storage, the root of the indexes' storages.</param>
/// <param name="Workers">The threads of all indexes of the process.</param>
internal sealed record IndexHost(DocumentDatabase Database, StorageEnvironment Storage, IndexingWorkers Workers, TimeProvider Time, ILogger Logger)
{
    private (IReadOnlyDictionary<string, string?>? Texts, IndexingSettings Merged)? _merged;

    /// <summary>Analyzers that users wrote.</summary>
    public DatabaseAnalyzers Analyzers { get; } = new(Database);

    /// <summary>Settings of the server.</summary>
    public IndexingSettings ServerSettings { get; init; } = new();

    /// <summary>Settings of the database over those of the server, as they are now.</summary>
    public IndexingSettings Settings
    {
        get
        {
            IReadOnlyDictionary<string, string?> texts = Database.Settings.Texts;
            if (_merged is not { } merged || !ReferenceEquals(merged.Texts, texts))
            {
                // What cannot be used was refused when the record was put.
                _merged = merged = (texts, ServerSettings.Over(texts, out _));
            }

            return merged.Merged;
        }
    }

    /// <summary>Folder of all indexes of the database.</summary>
    public string Folder => Storage.Path + "/Indexes";
}
