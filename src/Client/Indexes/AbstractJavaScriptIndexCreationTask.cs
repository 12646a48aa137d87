namespace Jackdaw.Client.Indexes;

/// <summary>An index in JavaScript.</summary>
/// <example><code>
/// class Users_ByName : AbstractJavaScriptIndexCreationTask
/// {
///     public Users_ByName() => Maps = ["map('Users', u => ({ Name: u.Name }))"];
/// }
/// </code></example>
public abstract class AbstractJavaScriptIndexCreationTask : AbstractIndexCreationTaskBase
{
    /// <summary>The maps, one for each collection: <c>map('Users', u => ({ Name: u.Name }))</c>, of counters <c>counters.map('Users', 'Likes', c =>
    /// ...)</c>.</summary>
    public ISet<string> Maps { get; set; } = new HashSet<string>();

    /// <summary>Options by the names of fields.</summary>
    public IDictionary<string, IndexFieldOptions> Fields { get; set; } = new Dictionary<string, IndexFieldOptions>();

    /// <summary>Collection whose documents the results of the reduce become.</summary>
    public string? OutputReduceToCollection { get; set; }

    /// <summary>Pattern of the ids of documents that list these documents.</summary>
    public string? PatternForOutputReduceToCollectionReferences { get; set; }

    /// <summary>Collection of the documents that list these documents.</summary>
    public string? PatternReferencesCollectionName { get; set; }

    /// <summary>Such as <c>groupBy(x => x.Name).aggregate(g => ({ Name: g.key, Count: g.values.length }))</c>.</summary>
    protected string? Reduce { get; set; }

    /// <inheritdoc/>
    public override IndexDefinition CreateIndexDefinition() => Completed(new IndexDefinition
    {
        Maps = new HashSet<string>(Maps),
        Reduce = Reduce,
        Fields = new Dictionary<string, IndexFieldOptions>(Fields),
        OutputReduceToCollection = OutputReduceToCollection,
        PatternForOutputReduceToCollectionReferences = PatternForOutputReduceToCollectionReferences,
        PatternReferencesCollectionName = PatternReferencesCollectionName,
    });
}
