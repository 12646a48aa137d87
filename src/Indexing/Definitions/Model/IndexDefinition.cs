namespace Jackdaw.Indexing.Definitions.Model;

/// <summary>What a user wrote to make an index: texts of C# or JavaScript and options.</summary>
/// <remarks>Immutable. <see cref="IndexDefinitionReader"/> reads and checks it, <see cref="IndexDefinitionWriter"/>
/// writes it, and <see cref="IndexDefinitionComparison"/> says what follows from a change.</remarks>
internal sealed record IndexDefinition
{
    public required string Name { get; init; }

    /// <summary>At least one map, each once, in the order of the user.</summary>
    public required IReadOnlyList<string> Maps { get; init; }

    /// <summary>Null for an index without one.</summary>
    public string? Reduce { get; init; }

    /// <summary>Found in the texts; what the user says about it is ignored.</summary>
    public required IndexType Type { get; init; }

    /// <summary>Found in the texts; what the user says about it is ignored.</summary>
    public required IndexSourceType SourceType { get; init; }

    /// <summary>Options by the name of the field; <see cref="AllFields"/> has the defaults of all fields.</summary>
    public IReadOnlyDictionary<string, IndexFieldOptions> Fields { get; init; } =
        new Dictionary<string, IndexFieldOptions>();

    /// <summary>Settings of this index only.</summary>
    public IReadOnlyDictionary<string, string?> Configuration { get; init; } = new Dictionary<string, string?>();

    /// <summary>Code in C# or JavaScript by a name that the user chose, such as "Util.cs".</summary>
    public IReadOnlyDictionary<string, string> AdditionalSources { get; init; } = new Dictionary<string, string>();

    public IReadOnlyList<AdditionalAssembly> AdditionalAssemblies { get; init; } = [];

    public IReadOnlyList<IReadOnlyList<string>> CompoundFields { get; init; } = [];

    public IndexLockMode LockMode { get; init; } = IndexLockMode.Unlock;

    public IndexPriority Priority { get; init; } = IndexPriority.Normal;

    /// <summary>Null if the user does not say, which means normal.</summary>
    public IndexState? State { get; init; }

    public IndexDeploymentMode DeploymentMode { get; init; } = IndexDeploymentMode.Parallel;

    /// <summary>Null if the user does not say: archived documents are left out.</summary>
    public ArchivedDataProcessing? ArchivedDataProcessingBehavior { get; init; }

    /// <summary>The collection of the documents that the rows of the reduce become; null for none.</summary>
    public string? OutputReduceToCollection { get; init; }

    /// <summary>Which output it is; the server's.</summary>
    public long? ReduceOutputIndex { get; init; }

    public string? PatternForOutputReduceToCollectionReferences { get; init; }

    public string? PatternReferencesCollectionName { get; init; }

    /// <summary>The key in <see cref="Fields"/> that stands for every field.</summary>
    public const string AllFields = "__all_fields";

    public bool IsJavaScript => Type is IndexType.JavaScriptMap or IndexType.JavaScriptMapReduce;

    public bool IsMapReduce => Type is IndexType.MapReduce or IndexType.JavaScriptMapReduce or IndexType.AutoMapReduce;
}

/// <summary>An assembly that a definition asks for. Such a definition is refused, because no assembly is loaded.</summary>
internal sealed record AdditionalAssembly
{
    public string? AssemblyName { get; init; }

    public string? AssemblyPath { get; init; }

    public string? PackageName { get; init; }

    public string? PackageVersion { get; init; }

    public string? PackageSourceUrl { get; init; }

    public IReadOnlyList<string> Usings { get; init; } = [];

    /// <summary>Its name in messages.</summary>
    public string Label => AssemblyName ?? PackageName ?? AssemblyPath ?? "(without a name)";
}
