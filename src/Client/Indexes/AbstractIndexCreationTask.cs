using System.Collections;
using System.Linq.Expressions;
using Jackdaw.Client.Indexes.Translation;

namespace Jackdaw.Client.Indexes;

/// <summary>An index of one collection, whose fields are properties of its documents.</summary>
/// <example><code>
/// class Users_ByName : AbstractIndexCreationTask&lt;User&gt;
/// {
///     public Users_ByName() => Map = users => from user in users select new { user.Name };
/// }
/// </code></example>
public abstract class AbstractIndexCreationTask<TDocument> : AbstractIndexCreationTask<TDocument, TDocument>;

/// <summary>An index of one collection.</summary>
/// <typeparam name="TDocument">Of the documents.</typeparam>
/// <typeparam name="TReduceResult">What the map and the reduce give, whose properties are the fields.</typeparam>
public abstract class AbstractIndexCreationTask<TDocument, TReduceResult> : AbstractGenericIndexCreationTask<TReduceResult>
{
    /// <summary>Makes entries of documents: <c>users => from user in users select new { user.Name }</c>.</summary>
    protected Expression<Func<IEnumerable<TDocument>, IEnumerable>>? Map { get; set; }

    private protected override void WriteMaps(ISet<string> maps, IndexTextContext context)
    {
        if (Map is null)
        {
            context.Add("Map", "An index needs a map.", "Set Map in the constructor.");
            return;
        }

        maps.Add(IndexTextWriter.Map(Map, NameOfSource(typeof(TDocument), context), isOfDocuments: true, context));
    }
}
