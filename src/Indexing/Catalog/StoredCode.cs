using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;

namespace Jackdaw.Indexing.Catalog;

/// <summary>The code of one kind that users wrote for one database. Reads: any thread. Writes: within a change of the index catalog.</summary>
/// <remarks>The records in the storage of the documents are the only state.</remarks>
internal sealed class StoredCode(IndexHost host, CodeTable table)
{
    /// <summary>The most of one kind in a database: each one that is used needs an assembly.</summary>
    private const int CodesMax = 200;

    private readonly string _kind = table.Name.ToLowerInvariant();

    /// <summary>All code of the kind, ordered by name.</summary>
    public List<UserCode> List() => table.List(host.Database);

    /// <summary>Whether the database has code with a name, in any casing.</summary>
    public bool Has(string name) => List().Any(code => code.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    /// <summary>Stores code, or replaces code with the same names.</summary>
    /// <exception cref="IndexException">There would be too many; nothing was changed.</exception>
    public Task WriteAsync(IReadOnlyList<UserCode> codes) =>
        List().Concat(codes).DistinctBy(code => code.Name.ToLowerInvariant()).Count() <= CodesMax
            ? StoreAsync([], codes)
            : throw new IndexException(IndexFault.TooMany, $"The database would have more than {CodesMax} {_kind}; delete some that are not used.");

    /// <summary>Deletes code. Returns false if there is none with this name.</summary>
    public async Task<bool> DeleteAsync(string name)
    {
        bool exists = Has(name);
        if (exists)
        {
            await StoreAsync([name], []).ConfigureAwait(false);
        }

        return exists;
    }

    private Task StoreAsync(IReadOnlyList<string> removed, IReadOnlyList<UserCode> written) =>
        host.StoreAsync(new WriteCodeCommand(table, removed, written), $"The {_kind}");
}
