using Jackdaw.Documents.Database;
using Jackdaw.Documents.Extensions;
using Jackdaw.Indexing.Running;
using Jackdaw.Indexing.Sources;
using Jackdaw.Search;
using Jackdaw.Server.Configuration;

namespace Jackdaw.Server;

/// <summary>What the databases of a server are made of. Tests replace single pieces.</summary>
internal sealed record DatabaseComposition
{
    /// <summary>What documents can have besides their text.</summary>
    public DocumentExtensions Extensions { get; init; } = StandardExtensions.All;

    /// <summary>The threads of all indexes.</summary>
    public IndexingWorkers Workers { get; init; } = new();

    /// <summary>The search engines of all indexes.</summary>
    public SearchEngines Engines { get; init; } = RegisteredEngines.All;

    /// <summary>What definitions of indexes can map; null: what this program has.</summary>
    public KnownSources? Sources { get; init; }

    /// <summary>Parts of open databases besides those of the server.</summary>
    public IReadOnlyList<DatabasePartKind> MoreParts { get; init; } = [];

    /// <summary>Names of kinds of parts that are not made.</summary>
    public IReadOnlyList<string> LeftOut { get; init; } = [];
}
