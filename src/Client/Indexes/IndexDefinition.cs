namespace Jackdaw.Client.Indexes;

/// <summary>The definition of an index as the server has it: texts in C# or JavaScript, and options. What is null has the default.</summary>
public sealed class IndexDefinition
{
    /// <summary>The key of <see cref="Fields"/> that stands for all fields.</summary>
    public const string AllFields = "__all_fields";

    /// <summary>Name of the index; the case of letters does not count.</summary>
    public string? Name { get; set; }

    /// <summary>At least one.</summary>
    public ISet<string> Maps { get; set; } = new HashSet<string>();

    /// <summary>Null: the index groups nothing.</summary>
    public string? Reduce { get; set; }

    /// <summary>Options by the names of fields.</summary>
    public IDictionary<string, IndexFieldOptions> Fields { get; set; } = new Dictionary<string, IndexFieldOptions>();

    /// <summary>Settings of this index alone.</summary>
    public IDictionary<string, string?> Configuration { get; set; } = new Dictionary<string, string?>();

    /// <summary>Code that maps and reduce call, by any name: <c>"Util.cs"</c>.</summary>
    public IDictionary<string, string> AdditionalSources { get; set; } = new Dictionary<string, string>();

    /// <summary>Assemblies that the code needs.</summary>
    public IList<AdditionalAssembly> AdditionalAssemblies { get; set; } = [];

    /// <summary>Pairs of fields that are often asked for together.</summary>
    public IList<string[]> CompoundFields { get; set; } = [];

    /// <summary>Whether the definition can be replaced.</summary>
    public IndexLockMode? LockMode { get; set; }

    /// <summary>Whose turn comes first.</summary>
    public IndexPriority? Priority { get; set; }

    /// <summary>Whether it runs.</summary>
    public IndexState? State { get; set; }

    /// <summary>How it comes to the nodes of a cluster.</summary>
    public IndexDeploymentMode? DeploymentMode { get; set; }

    /// <summary>Whether archived documents are indexed.</summary>
    public ArchivedDataProcessingBehavior? ArchivedDataProcessingBehavior { get; set; }

    /// <summary>Collection whose documents the results of the reduce become.</summary>
    public string? OutputReduceToCollection { get; set; }

    /// <summary>Ids of documents that name these: <c>"reports/{OrderedAt:yyyy-MM}"</c>.</summary>
    public string? PatternForOutputReduceToCollectionReferences { get; set; }

    /// <summary>Collection of the documents that name these.</summary>
    public string? PatternReferencesCollectionName { get; set; }

    /// <summary>What the server has found; it is not sent.</summary>
    public IndexType Type { get; init; }

    /// <summary>What the server has found; it is not sent.</summary>
    public IndexSourceType SourceType { get; init; }
}

/// <summary>An assembly that the code of a definition needs. The server may refuse any but those of .NET.</summary>
public sealed record AdditionalAssembly
{
    /// <summary>Its name, where the server has it.</summary>
    public string? AssemblyName { get; init; }

    /// <summary>Its file on the server.</summary>
    public string? AssemblyPath { get; init; }

    /// <summary>The package that it comes from.</summary>
    public string? PackageName { get; init; }

    /// <summary>Version of the package.</summary>
    public string? PackageVersion { get; init; }

    /// <summary>Where the package is.</summary>
    public string? PackageSourceUrl { get; init; }

    /// <summary>Namespaces that the code may leave out.</summary>
    public IReadOnlyList<string> Usings { get; init; } = [];
}
