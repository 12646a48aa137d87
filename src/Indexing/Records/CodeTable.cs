using System.Text;
using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Indexing.Records;

/// <summary>Where code of users of one kind is stored: in a tree of the storage of a database's documents, and among the texts of the server. The
/// key is the name in lower case, and the value <c>{"Name":...,"Code":...}</c>; both in UTF-8. Immutable.</summary>
internal sealed class CodeTable
{
    private CodeTable(string name) => Name = name;

    public static CodeTable Analyzers { get; } = new("Analyzers");

    public static CodeTable Sorters { get; } = new("Sorters");

    /// <summary>The name of the tree, which never changes.</summary>
    public string Name { get; }

    public byte[] TreeName => Encoding.UTF8.GetBytes(Name);

    public static byte[] KeyOf(string name) => Encoding.UTF8.GetBytes(name.ToLowerInvariant());

    public static byte[] Format(UserCode code) => JsonSerializer.SerializeToUtf8Bytes(code);

    public static UserCode Parse(ReadOnlySpan<byte> stored) => JsonSerializer.Deserialize<UserCode>(stored)!;

    /// <summary>The code with a name: that of the database, or else that of the server. Null if there is none.</summary>
    public UserCode? Find(DocumentDatabase database, string name)
    {
        using DocumentReadScope read = database.BeginRead();
        if (read.Transaction.Trees.FindTree(TreeName) is { } tree && tree.TryGet(KeyOf(name), out ReadOnlySpan<byte> stored))
        {
            return Parse(stored);
        }

        return database.Settings.ServerTexts?.Find(Name, name) is { } ofServer ? Parse(ofServer) : null;
    }

    /// <summary>The names of all code that the database can use: its own and that of the server.</summary>
    public IEnumerable<string> ListNames(DocumentDatabase database)
    {
        IEnumerable<UserCode> ofServer = database.Settings.ServerTexts?.List(Name).Select(text => Parse(text)) ?? [];
        return List(database).Concat(ofServer).Select(code => code.Name).Distinct(StringComparer.OrdinalIgnoreCase);
    }

    /// <summary>The names of the code that will be another one when it is written, or that is new.</summary>
    /// <param name="find">Finds the code that a name stands for before.</param>
    public static string[] ListChanged(Func<string, UserCode?> find, IEnumerable<UserCode> written) =>
        [.. written.Where(code => find(code.Name)?.Code != code.Code).Select(code => code.Name)];

    /// <summary>All code of the database, ordered by key.</summary>
    public List<UserCode> List(DocumentDatabase database)
    {
        using DocumentReadScope read = database.BeginRead();
        List<UserCode> found = [];
        if (read.Transaction.Trees.FindTree(TreeName) is not { } tree)
        {
            return found;
        }

        using BTreeCursor cursor = tree.OpenCursor();
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
        {
            found.Add(Parse(cursor.Value));
        }

        return found;
    }
}

/// <summary>Writes and removes code of users, in one transaction.</summary>
/// <remarks>The caller reads and writes it under the gate of the index catalog, so nothing is checked here.</remarks>
/// <param name="removed">Names. A name that nothing has is ignored.</param>
internal sealed class WriteCodeCommand(CodeTable table, IReadOnlyList<string> removed, IReadOnlyList<UserCode> written) : DocumentCommand
{
    private readonly (byte[] Key, byte[] Value)[] _written = [.. written.Select(code => (CodeTable.KeyOf(code.Name), CodeTable.Format(code)))];

    internal override int SizeBytes => FixedBytes + _written.Sum(entry => entry.Key.Length + entry.Value.Length);

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        BTree tree = documents.OpenOnce(static inner => new Opened(inner.Transaction.Trees)).Tree(table);
        foreach (string name in removed)
        {
            tree.Delete(CodeTable.KeyOf(name));
        }

        foreach ((byte[] key, byte[] value) in _written)
        {
            tree.Put(key, value);
        }

        return WriteStatus.Applied;
    }

    private sealed class Opened(TreeCatalog trees)
    {
        private readonly Dictionary<CodeTable, BTree> _trees = [];

        public BTree Tree(CodeTable table)
        {
            if (!_trees.TryGetValue(table, out BTree? tree))
            {
                _trees.Add(table, tree = trees.CreateTree(table.TreeName));
            }

            return tree;
        }
    }
}
