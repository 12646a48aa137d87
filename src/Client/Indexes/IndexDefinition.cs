namespace Jackdaw.Client.Indexes;

/// <summary>The definition of an index as the server has it: texts in C# or JavaScript, and options. A member that is null has the
/// default.</summary>
public sealed class IndexDefinition
{
    /// <summary>The key of <see cref="Fields"/> that stands for all fields.</summary>
    public const string AllFields = "__all_fields";

    /// <summary>Name of the index. Case does not matter.</summary>
    public string? Name { get; set; }

    /// <summary>The maps; at least one.</summary>
    public ISet<string> Maps { get; set; } = new HashSet<string>();

    /// <summary>The reduce; null if the index does not group.</summary>
    public string? Reduce { get; set; }

    /// <summary>Options by the names of fields.</summary>
    public IDictionary<string, IndexFieldOptions> Fields { get; set; } = new Dictionary<string, IndexFieldOptions>();

    /// <summary>Settings of this index.</summary>
    public IDictionary<string, string?> Configuration { get; set; } = new Dictionary<string, string?>();

    /// <summary>Code that maps and reduce call, by any name: <c>"Util.cs"</c>.</summary>
    public IDictionary<string, string> AdditionalSources { get; set; } = new Dictionary<string, string>();

    /// <summary>Assemblies that the code needs.</summary>
    public IList<AdditionalAssembly> AdditionalAssemblies { get; set; } = [];

    /// <summary>Pairs of fields that are often queried together.</summary>
    public IList<string[]> CompoundFields { get; set; } = [];

    /// <summary>Whether the definition can be replaced.</summary>
    public IndexLockMode? LockMode { get; set; }

    /// <summary>Which indexes get a thread first.</summary>
    public IndexPriority? Priority { get; set; }

    /// <summary>Whether the index runs.</summary>
    public IndexState? State { get; set; }

    /// <summary>How the index is deployed to the nodes of a cluster.</summary>
    public IndexDeploymentMode? DeploymentMode { get; set; }

    /// <summary>Whether archived documents are indexed.</summary>
    public ArchivedDataProcessingBehavior? ArchivedDataProcessingBehavior { get; set; }

    /// <summary>Collection whose documents the results of the reduce become.</summary>
    public string? OutputReduceToCollection { get; set; }

    /// <summary>Pattern of the ids of documents that list these documents: <c>"reports/{OrderedAt:yyyy-MM}"</c>.</summary>
    public string? PatternForOutputReduceToCollectionReferences { get; set; }

    /// <summary>Collection of the documents that list these documents.</summary>
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
