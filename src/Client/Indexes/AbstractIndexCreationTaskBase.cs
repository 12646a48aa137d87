using Jackdaw.Client.Conventions;

namespace Jackdaw.Client.Indexes;

/// <summary>What all index definitions have in common.</summary>
public abstract class AbstractIndexCreationTaskBase : AbstractCommonApiForIndexes, IAbstractIndexCreationTask
{
    private const string EngineKey = "Indexing.Static.SearchEngineType";

    private protected AbstractIndexCreationTaskBase()
    {
    }

    /// <inheritdoc/>
    public virtual string IndexName => GetType().Name.Replace('_', '/');

    /// <inheritdoc/>
    public DocumentConventions? Conventions { get; set; }

    /// <summary>Code that maps and reduce call, by any name: <c>"Util.cs"</c>. Its static methods can be called in maps and reduces if the program
    /// has them, too.</summary>
    public IDictionary<string, string> AdditionalSources { get; set; } = new Dictionary<string, string>();

    /// <summary>Assemblies that the code needs.</summary>
    public IList<AdditionalAssembly> AdditionalAssemblies { get; set; } = [];

    /// <summary>Settings of this index.</summary>
    public IDictionary<string, string?> Configuration { get; set; } = new Dictionary<string, string?>();

    /// <summary>Pairs of fields that are often queried together.</summary>
    public IList<string[]> CompoundFields { get; } = [];

    /// <summary>Which indexes get a thread first.</summary>
    public IndexPriority? Priority { get; set; }

    /// <summary>Whether the definition can be replaced.</summary>
    public IndexLockMode? LockMode { get; set; }

    /// <summary>Whether the index runs.</summary>
    public IndexState? State { get; set; }

    /// <summary>How the index is deployed to the nodes of a cluster.</summary>
    public IndexDeploymentMode? DeploymentMode { get; set; }

    /// <summary>The requested search engine.</summary>
    public SearchEngineType? SearchEngineType { get; set; }

    /// <summary>Whether archived documents are indexed.</summary>
    public ArchivedDataProcessingBehavior? ArchivedDataProcessingBehavior { get; set; }

    /// <inheritdoc/>
    public abstract IndexDefinition CreateIndexDefinition();

    // What the definition says takes precedence over what the class says.
    internal IndexDefinition Completed(IndexDefinition definition)
    {
        definition.Name = string.IsNullOrWhiteSpace(definition.Name) ? IndexName : definition.Name;
        definition.Priority ??= Priority;
        definition.LockMode ??= LockMode;
        definition.State ??= State;
        definition.DeploymentMode ??= DeploymentMode;
        definition.ArchivedDataProcessingBehavior ??= ArchivedDataProcessingBehavior;
        foreach ((string name, string text) in AdditionalSources)
        {
            definition.AdditionalSources.TryAdd(name, text);
        }

        foreach ((string name, string? value) in Configuration)
        {
            definition.Configuration.TryAdd(name, value);
        }

        foreach (AdditionalAssembly assembly in AdditionalAssemblies.Where(assembly => !definition.AdditionalAssemblies.Contains(assembly)))
        {
            definition.AdditionalAssemblies.Add(assembly);
        }

        foreach (string[] fields in CompoundFields.Where(fields => !definition.CompoundFields.Contains(fields)))
        {
            definition.CompoundFields.Add(fields);
        }

        if (SearchEngineType is { } engine)
        {
            definition.Configuration.TryAdd(EngineKey, engine.ToString());
        }

        return definition;
    }
}

/// <summary>A definition in texts: override <see cref="AbstractIndexCreationTaskBase.CreateIndexDefinition"/>.</summary>
public abstract class AbstractIndexCreationTask : AbstractIndexCreationTaskBase;
