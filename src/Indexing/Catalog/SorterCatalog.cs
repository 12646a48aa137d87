using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Records;
using Jackdaw.Json.Refusals;
using Jackdaw.Search.Queries;

namespace Jackdaw.Indexing.Catalog;

/// <summary>The sorters that users wrote for one database: lists, stores, deletes and finds them. Any thread.</summary>
/// <remarks>The records in the storage of the documents are the only state; each search looks its sorter up.</remarks>
internal sealed class SorterCatalog(IndexHost host, IndexCatalog catalog)
{
    private readonly StoredCode _stored = new(host, CodeTable.Sorters);

    /// <summary>All sorters, ordered by name.</summary>
    public IReadOnlyList<UserCode> List() => _stored.List();

    /// <summary>The comparer of a sorter, of the database or else of the server, for one query.</summary>
    /// <param name="version">A number that another text of the sorter would not have.</param>
    /// <exception cref="RefusedException">There is no sorter of that name, or it cannot be compiled any more.</exception>
    public IComparer<SortValue> Find(string name, out long version)
    {
        CompiledSorter found = host.Sorters.Find(name) ?? throw new SorterMissingException(name, host.Database.Name);
        version = string.GetHashCode(found.Code.Code, StringComparison.Ordinal);
        return found.ForQuery();
    }

    /// <summary>Stores sorters, or replaces those with the same names.</summary>
    /// <exception cref="SorterCompilationException">A sorter cannot be compiled; nothing was changed.</exception>
    /// <exception cref="IndexException">A name cannot be used, or there are too many sorters; nothing was changed.</exception>
    public async Task PutAsync(IReadOnlyList<UserCode> sorters, CancellationToken cancellationToken)
    {
        await CheckAsync(sorters, cancellationToken).ConfigureAwait(false);
        using CatalogChange change = await catalog.BeginChangeAsync(cancellationToken).ConfigureAwait(false);
        await _stored.WriteAsync(sorters).ConfigureAwait(false);
    }

    /// <summary>Deletes a sorter. Returns false if there is no sorter with this name. Queries that name it are refused from now on.</summary>
    public async Task<bool> DeleteAsync(string name, CancellationToken cancellationToken)
    {
        using CatalogChange change = await catalog.BeginChangeAsync(cancellationToken).ConfigureAwait(false);
        return await _stored.DeleteAsync(name).ConfigureAwait(false);
    }

    /// <summary>Whether the sorters can be used, in any database.</summary>
    /// <exception cref="SorterCompilationException">One of them cannot be compiled.</exception>
    /// <exception cref="IndexException">A name cannot be used.</exception>
    public static async Task CheckAsync(IReadOnlyList<UserCode> sorters, CancellationToken cancellationToken)
    {
        foreach (UserCode code in sorters)
        {
            if (code.Name.Length is 0 or > IndexCatalog.NameLengthMax)
            {
                throw new IndexException(IndexFault.InvalidDefinition, "A sorter has no name, or one that is too long: give that of its class in 'Name'.");
            }

            (await CompiledSorter.CompileAsync(code, cancellationToken).ConfigureAwait(false)).Dispose();
        }
    }
}

/// <summary>A query names a sorter that does not exist.</summary>
internal sealed class SorterMissingException(string name, string database) : RefusedException(
    RefusalKind.SorterMissing, $"There is no sorter with '{name}' name in database '{database}', nor on the server; put it with PUT /admin/sorters.");
