using Jackdaw.Indexing;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>Finds the indexes of requests.</summary>
internal static class IndexRequests
{
    /// <summary>How long a request waits for the files of an index. They are open unless the index was made just now.</summary>
    public static readonly TimeSpan OpeningPatience = TimeSpan.FromSeconds(15);

    /// <summary>The index that most requests name.</summary>
    public static Input Name { get; } = Input.Text("name", "The name of the index.", "Orders/ByCompany").Required();

    /// <summary>The members of a definition that matter most; the client's class of it has more.</summary>
    public static IReadOnlyList<Input> Definition { get; } =
    [
        Input.Text("Name", "The name of the index.", "Shop/Spare").Required(),
        Input.Text("Maps", "The code of a map.", "map('Orders', order => ({ Company: order.Company, Count: 1 }))").Repeated().Required(),
        Input.Text(
            "Reduce", "The code of the reduce.", "groupBy(row => row.Company).aggregate(group => ({ Company: group.key, Count: group.values.length }))"),
        Input.Json("Fields", "Options of fields by their names.", """{"Company":{"Storage":"Yes"}}"""),
    ];

    /// <summary>A definition as JSON.</summary>
    public static string DefinitionExample { get; } = Body.Object("", Definition).Example;

    /// <summary>A handler that gets the index catalog of its database.</summary>
    public static RequestHandler With(Func<RequestContext, IndexCatalog, ValueTask> handle) => context => handle(context, Of(context).Catalog);

    /// <summary>The indexes of the database of a request.</summary>
    public static DatabaseIndexes Of(RequestContext context) =>
        context.Database.FindPart<DatabaseIndexes>()
        ?? throw new RequestRefusedException(Problem.NotSupported("Indexes of this database are"));

    /// <summary>The opened files of an index.</summary>
    /// <exception cref="IndexException">The files are not open yet, or cannot be opened.</exception>
    public static async ValueTask<IndexBuilder> OpenAsync(RequestContext context, DatabaseIndex index)
    {
        await index.WaitForOpenAsync(OpeningPatience, context.Aborted).ConfigureAwait(false);
        return index.Builder ?? throw new IndexException(
            index.Fault is null ? IndexFault.Unavailable : IndexFault.Unusable,
            index.Fault ?? $"Index '{index.Name}' is not open yet; try again in a moment.");
    }
}
