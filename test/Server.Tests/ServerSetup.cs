using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Indexing.Settings;
using Jackdaw.Indexing.Sources;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Hosting;
using Jackdaw.Server.Live;

namespace Jackdaw.Server.Tests;

/// <summary>What a test wants its server to be.</summary>
internal sealed record ServerSetup
{
    /// <summary>Where the files lie.</summary>
    public IPlatform Platform { get; init; } = new MemoryPlatform();

    /// <summary>The folder of all files.</summary>
    public string DataDir { get; init; } = "/data";

    /// <summary>Whether the server knows that nothing is kept. Tests of files beside the databases set it to false, and give a folder.</summary>
    public bool RunInMemory { get; init; } = true;

    /// <summary>Name of the database, which is created if it is missing.</summary>
    public string Database { get; init; } = "db1";

    /// <summary>Settings of a database that is created: a JSON object.</summary>
    public string Settings { get; init; } = "{}";

    /// <summary>The clock of requests.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>The clock of databases and their parts.</summary>
    public TimeProvider DatabaseTime { get; init; } = TimeProvider.System;

    public NodeTag Node { get; init; } = NodeTag.Default;

    /// <summary>The lines of the log that it shows; null: none.</summary>
    public LogTail? Log { get; init; }

    /// <summary>Whether it serves the Studio.</summary>
    public bool HasStudio { get; init; } = true;

    /// <summary>Settings of all indexes.</summary>
    public IndexingSettings Indexing { get; init; } = new();

    /// <summary>The search engines of all indexes.</summary>
    public SearchEngines Engines { get; init; } = RegisteredEngines.All;

    /// <summary>What definitions of indexes can map; null: what the program has.</summary>
    public KnownSources? Sources { get; init; }

    /// <summary>What documents can have besides their text.</summary>
    public DocumentExtensions Extensions { get; init; } = StandardExtensions.All;

    /// <summary>Names of parts of databases that are not made.</summary>
    public IReadOnlyList<string> LeftOut { get; init; } = [];

    /// <summary>Sends all requests; null: everyone is the same caller, who may do everything.</summary>
    public Caller? Caller { get; init; }

    /// <summary>Where it listens; with https it is secured, and the client shows the administrator's certificate.</summary>
    public ListenAddress ServerUrl { get; init; } = ServerFixture.Options.ServerUrl;

    public Uri? PublicServerUrl { get; init; }

    public SecuritySettings Security { get; init; } = new();

    /// <summary>The origins of pages that may send requests.</summary>
    public IReadOnlyList<WebOrigin> AllowedOrigins { get; init; } = [];

    /// <summary>Opens the databases that the server has; null: those of the fixture.</summary>
    public OpenDatabaseCatalog? Open { get; init; }

    public ServerOptions Options => ServerFixture.Options with
    {
        DataDir = DataDir,
        RunInMemory = RunInMemory,
        NodeTag = Node,
        Indexing = Indexing,
        ServerUrl = ServerUrl,
        PublicServerUrl = PublicServerUrl,
        Security = Security,
        AllowedOrigins = AllowedOrigins,
        StudioEnabled = HasStudio,
    };
}
