using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using Jackdaw.Client.Indexes.Translation;

namespace Jackdaw.Client.Indexes;

/// <summary>An index of several collections.</summary>
public abstract class AbstractMultiMapIndexCreationTask : AbstractMultiMapIndexCreationTask<object>;

/// <summary>An index of several collections.</summary>
/// <typeparam name="TReduceResult">What the maps and the reduce give, whose properties are the fields.</typeparam>
public abstract class AbstractMultiMapIndexCreationTask<TReduceResult> : AbstractGenericIndexCreationTask<TReduceResult>
{
    private readonly List<(Type Type, LambdaExpression Map)> _maps = [];

    /// <summary>Makes entries of the documents of one collection. All maps must give the same fields.</summary>
    protected void AddMap<TSource>(Expression<Func<IEnumerable<TSource>, IEnumerable>> map)
    {
        ArgumentNullException.ThrowIfNull(map);
        _maps.Add((typeof(TSource), map));
    }

    /// <summary>Makes entries of the documents of all classes in the assembly of a type that derive from it or implement it.</summary>
    [RequiresUnreferencedCode("Classes that nothing else uses may be gone: call AddMap for each of them.")]
    protected void AddMapForAll<TBase>(Expression<Func<IEnumerable<TBase>, IEnumerable>> map)
    {
        ArgumentNullException.ThrowIfNull(map);
        IEnumerable<Type> types = typeof(TBase).Assembly.GetTypes()
            .Where(type => type.IsClass && !type.IsAbstract && !type.ContainsGenericParameters && typeof(TBase).IsAssignableFrom(type))
            .OrderBy(type => type.FullName, StringComparer.Ordinal);
        _maps.AddRange(types.Select(type => (type, (LambdaExpression)map)));
    }

    private protected override void WriteMaps(ISet<string> maps, IndexTextContext context)
    {
        if (_maps.Count == 0)
        {
            context.Add("AddMap", "An index needs a map.", "Call AddMap in the constructor.");
        }

        foreach ((Type type, LambdaExpression map) in _maps)
        {
            maps.Add(IndexTextWriter.Map(map, NameOfSource(type, context), isOfDocuments: true, context));
        }
    }
}
