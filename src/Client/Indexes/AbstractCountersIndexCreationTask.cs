using System.Collections;
using System.Linq.Expressions;
using Jackdaw.Client.Indexes.Translation;

namespace Jackdaw.Client.Indexes;

/// <summary>An index of counters of the documents of one collection.</summary>
public abstract class AbstractCountersIndexCreationTask<TDocument> : AbstractCountersIndexCreationTask<TDocument, CounterEntry>;

/// <summary>An index of counters of the documents of one collection.</summary>
/// <typeparam name="TDocument">Of the documents.</typeparam>
/// <typeparam name="TReduceResult">What the maps and the reduce give, whose properties are the fields.</typeparam>
public abstract class AbstractCountersIndexCreationTask<TDocument, TReduceResult> : AbstractGenericIndexCreationTask<TReduceResult>
{
    private readonly List<(string? Counter, Expression<Func<IEnumerable<CounterEntry>, IEnumerable>> Map)> _maps = [];

    /// <summary>Makes entries of one counter of each document.</summary>
    /// <param name="counter">Its name.</param>
    protected void AddMap(string counter, Expression<Func<IEnumerable<CounterEntry>, IEnumerable>> map)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(counter);
        ArgumentNullException.ThrowIfNull(map);
        _maps.Add((counter, map));
    }

    /// <summary>Makes entries of all counters.</summary>
    protected void AddMapForAll(Expression<Func<IEnumerable<CounterEntry>, IEnumerable>> map)
    {
        ArgumentNullException.ThrowIfNull(map);
        _maps.Add((null, map));
    }

    private protected override void WriteMaps(ISet<string> maps, IndexTextContext context)
    {
        if (_maps.Count == 0)
        {
            context.Add("AddMap", "An index needs a map.", "Call AddMap in the constructor.");
        }

        string? collection = context.Conventions.GetCollectionName(typeof(TDocument));
        string source = collection is null ? "counters" : SourceText("counters", collection);
        foreach ((string? counter, Expression<Func<IEnumerable<CounterEntry>, IEnumerable>> map) in _maps)
        {
            maps.Add(IndexTextWriter.Map(map, SourceOf(source, counter), isOfDocuments: false, context));
        }
    }

    // A name that is not an identifier of C# is compared as a text, without regard to case.
    private static string SourceOf(string source, string? counter) => counter is null ? source
        : CSharpText.IsName(counter) && source.Contains('.') ? $"{source}.{CSharpText.Name(counter)}"
        : $"{source}.Where(counter => counter.Name.Equals({CSharpText.Text(counter)}, StringComparison.OrdinalIgnoreCase))";
}
