using System.Collections;
using System.Linq.Expressions;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Indexes.Translation;

namespace Jackdaw.Client.Indexes;

/// <summary>A definition by expressions: what the maps give, how groups are reduced, and how fields are indexed.</summary>
/// <typeparam name="TResult">What a map gives, whose properties are the fields.</typeparam>
public abstract class AbstractGenericIndexCreationTask<TResult> : AbstractIndexCreationTaskBase
{
    private readonly List<(Expression<Func<TResult, object?>>? Path, string Name, Action<IndexFieldOptions> Set)> _options = [];
    private readonly List<Expression<Func<TResult, object?>>[]> _compounds = [];

    private protected AbstractGenericIndexCreationTask()
    {
    }

    /// <summary>Collection whose documents the results of the reduce become.</summary>
    public string? OutputReduceToCollection { get; set; }

    /// <summary>Pattern of the ids of documents that list these documents: <c>reports/{OrderedAt:yyyy-MM}</c>.</summary>
    public string? PatternForOutputReduceToCollectionReferences { get; set; }

    /// <summary>Collection of the documents that list these documents.</summary>
    public string? PatternReferencesCollectionName { get; set; }

    /// <summary>Makes one result of each group: <c>results => from r in results group r by r.Key into g select new { ... }</c>, with the fields of
    /// the
    /// maps.</summary>
    protected Expression<Func<IEnumerable<TResult>, IEnumerable>>? Reduce { get; set; }

    /// <summary>Says how a field is searched.</summary>
    protected void Index(Expression<Func<TResult, object?>> field, FieldIndexing indexing) => Set(field, options => options.Indexing = indexing);

    /// <summary>Says how a field is searched.</summary>
    protected void Index(string field, FieldIndexing indexing) => Set(field, options => options.Indexing = indexing);

    /// <summary>Says whether the value of a field is kept.</summary>
    protected void Store(Expression<Func<TResult, object?>> field, FieldStorage storage) => Set(field, options => options.Storage = storage);

    /// <summary>Says whether the value of a field is kept.</summary>
    protected void Store(string field, FieldStorage storage) => Set(field, options => options.Storage = storage);

    /// <summary>Says whether the values of all fields are stored.</summary>
    protected void StoreAllFields(FieldStorage storage) => Set(IndexDefinition.AllFields, options => options.Storage = storage);

    /// <summary>Names the analyzer that finds the words of a field.</summary>
    protected void Analyze(Expression<Func<TResult, object?>> field, string analyzer) => Set(field, options => options.Analyzer = analyzer);

    /// <summary>Names the analyzer that finds the words of a field.</summary>
    protected void Analyze(string field, string analyzer) => Set(field, options => options.Analyzer = analyzer);

    /// <summary>Says what is kept of the words of a field.</summary>
    protected void TermVector(Expression<Func<TResult, object?>> field, FieldTermVector vector) => Set(field, options => options.TermVector = vector);

    /// <summary>Says what is kept of the words of a field.</summary>
    protected void TermVector(string field, FieldTermVector vector) => Set(field, options => options.TermVector = vector);

    /// <summary>Words that are like others can be asked for.</summary>
    protected void Suggestion(Expression<Func<TResult, object?>> field) => Set(field, options => options.Suggestions = true);

    /// <summary>Words that are like others can be asked for.</summary>
    protected void Suggestion(string field) => Set(field, options => options.Suggestions = true);

    /// <summary>Says how the shapes of a field are indexed.</summary>
    protected void Spatial(Expression<Func<TResult, object?>> field, Func<SpatialOptionsFactory, SpatialOptions> indexing)
    {
        ArgumentNullException.ThrowIfNull(indexing);
        Set(field, options => options.Spatial = indexing(new SpatialOptionsFactory()));
    }

    /// <summary>Says how the shapes of a field are indexed.</summary>
    protected void Spatial(string field, Func<SpatialOptionsFactory, SpatialOptions> indexing)
    {
        ArgumentNullException.ThrowIfNull(indexing);
        Set(field, options => options.Spatial = indexing(new SpatialOptionsFactory()));
    }

    /// <summary>Says how the vectors of a field are indexed, which <c>CreateVector</c> makes.</summary>
    protected void Vector(Expression<Func<TResult, object?>> field, Func<VectorOptionsBuilder, VectorOptionsBuilder> indexing)
    {
        ArgumentNullException.ThrowIfNull(indexing);
        Set(field, options => options.Vector = indexing(new VectorOptionsBuilder()).Options);
    }

    /// <inheritdoc cref="Vector(Expression{Func{TResult, object}}, Func{VectorOptionsBuilder, VectorOptionsBuilder})"/>
    protected void Vector(string field, Func<VectorOptionsBuilder, VectorOptionsBuilder> indexing)
    {
        ArgumentNullException.ThrowIfNull(indexing);
        Set(field, options => options.Vector = indexing(new VectorOptionsBuilder()).Options);
    }

    /// <summary>Says that two fields are often queried together.</summary>
    protected void CompoundField(Expression<Func<TResult, object?>> first, Expression<Func<TResult, object?>> second) => _compounds.Add([first, second]);

    /// <inheritdoc/>
    public override IndexDefinition CreateIndexDefinition()
    {
        var context = new IndexTextContext(IndexName, Conventions ?? new DocumentConventions(), typeof(TResult), AdditionalSources.Values);
        var definition = new IndexDefinition
        {
            OutputReduceToCollection = OutputReduceToCollection,
            PatternForOutputReduceToCollectionReferences = PatternForOutputReduceToCollectionReferences,
            PatternReferencesCollectionName = PatternReferencesCollectionName,
        };
        WriteMaps(definition.Maps, context);
        definition.Reduce = Reduce is null ? null : IndexTextWriter.Reduce(Reduce, context);
        foreach ((Expression<Func<TResult, object?>>? path, string name, Action<IndexFieldOptions> set) in _options)
        {
            string field = path is null ? name : FieldOf(path, context);
            if (!definition.Fields.TryGetValue(field, out IndexFieldOptions? options))
            {
                definition.Fields[field] = options = new IndexFieldOptions();
            }

            set(options);
        }

        foreach (Expression<Func<TResult, object?>>[] fields in _compounds)
        {
            definition.CompoundFields.Add([.. fields.Select(field => FieldOf(field, context))]);
        }

        CheckOutput(context);
        context.ThrowProblems();
        return Completed(definition);
    }

    private protected abstract void WriteMaps(ISet<string> maps, IndexTextContext context);

    private protected static string NameOfSource(Type type, IndexTextContext context)
    {
        string? collection = context.Conventions.GetCollectionName(type);
        return collection is null ? "docs" : SourceText("docs", collection);
    }

    // Names that are not identifiers of C# are written as keys.
    private protected static string SourceText(string root, string collection) =>
        CSharpText.IsName(collection) ? $"{root}.{CSharpText.Name(collection)}" : $"{root}[{CSharpText.Text(collection)}]";

    private void CheckOutput(IndexTextContext context)
    {
        if (OutputReduceToCollection is not null && Reduce is null)
        {
            context.Add("OutputReduceToCollection", "Only results of a reduce become documents.", "Set Reduce.");
        }
    }

    private static string FieldOf(Expression<Func<TResult, object?>> path, IndexTextContext context)
    {
        if (context.FieldPathOf(path.Body) is { } name)
        {
            return name;
        }

        context.Add(path, "It is not a field of the index.", "Write a path of properties, or give the name of the field as a text.");
        return "";
    }

    private void Set(Expression<Func<TResult, object?>> field, Action<IndexFieldOptions> set)
    {
        ArgumentNullException.ThrowIfNull(field);
        _options.Add((field, "", set));
    }

    private void Set(string field, Action<IndexFieldOptions> set)
    {
        ArgumentException.ThrowIfNullOrEmpty(field);
        _options.Add((null, field, set));
    }
}
