namespace Jackdaw.Indexing.Definitions.Model;

/// <summary>What a user wrote to make an index: texts of C# or JavaScript and options.</summary>
/// <remarks>Immutable. <see cref="IndexDefinitionReader"/> reads and checks it, <see cref="IndexDefinitionWriter"/>
/// writes it, <see cref="IndexDefinitionComparison"/> says what a change of it means.</remarks>
internal sealed record IndexDefinition
{
    public required string Name { get; init; }

    /// <summary>At least one, each once, in the order of the user.</summary>
    public required IReadOnlyList<string> Maps { get; init; }

    /// <summary>Null for an index without one.</summary>
    public string? Reduce { get; init; }

    /// <summary>Found in the texts, whatever the user says.</summary>
    public required IndexType Type { get; init; }

    /// <summary>Found in the texts, whatever the user says.</summary>
    public required IndexSourceType SourceType { get; init; }

    /// <summary>By name of the field; <see cref="AllFields"/> is the default of every field.</summary>
    public IReadOnlyDictionary<string, IndexFieldOptions> Fields { get; init; } =
        new Dictionary<string, IndexFieldOptions>();

    /// <summary>Settings of this index alone.</summary>
    public IReadOnlyDictionary<string, string?> Configuration { get; init; } = new Dictionary<string, string?>();

    /// <summary>C# or JavaScript by a name of the user's choice, such as "Util.cs".</summary>
    public IReadOnlyDictionary<string, string> AdditionalSources { get; init; } = new Dictionary<string, string>();

    public IReadOnlyList<AdditionalAssembly> AdditionalAssemblies { get; init; } = [];

    public IReadOnlyList<IReadOnlyList<string>> CompoundFields { get; init; } = [];

    public IndexLockMode LockMode { get; init; } = IndexLockMode.Unlock;

    public IndexPriority Priority { get; init; } = IndexPriority.Normal;

    /// <summary>Null when the user does not say: normal.</summary>
    public IndexState? State { get; init; }

    public IndexDeploymentMode DeploymentMode { get; init; } = IndexDeploymentMode.Parallel;

    /// <summary>Null when the user does not say: archived documents are left out.</summary>
    public ArchivedDataProcessing? ArchivedDataProcessingBehavior { get; init; }

    /// <summary>Collection that the rows of the reduce become documents of; null for none.</summary>
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

/// <summary>An assembly that a definition asks for. None is loaded: compiling one is refused by its name.</summary>
internal sealed record AdditionalAssembly
{
    public string? AssemblyName { get; init; }

    public string? AssemblyPath { get; init; }

    public string? PackageName { get; init; }

    public string? PackageVersion { get; init; }

    public string? PackageSourceUrl { get; init; }

    public IReadOnlyList<string> Usings { get; init; } = [];

    /// <summary>What messages call it.</summary>
    public string Label => AssemblyName ?? PackageName ?? AssemblyPath ?? "(without a name)";
}
