using System.Runtime.InteropServices;
using System.Text;
using Jackdaw.Storage;
using Jackdaw.Storage.Columns;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>The graph of one field of an open index: what does not change with a transaction. All snapshots and the writer share it.</summary>
internal sealed class VectorGraph
{
    /// <summary>The tree of the headers of all graphs of an index, by field.</summary>
    public static ReadOnlySpan<byte> HeadersTree => "vectors"u8;

    private static readonly string[] s_columns = ["nodes", "upper", "vectors", "codes"];

    private readonly ColumnDirectory[] _directories = [new(), new(), new(), new()];

    public VectorGraph(string field, in GraphHeader header)
    {
        Field = field;
        Layout = new GraphLayout(header.Dimensions, header.Edges);
    }

    public string Field { get; }

    public GraphLayout Layout { get; }

    /// <summary>The tree that finds a node by the hash of its vector.</summary>
    public byte[] HashesName => NameOf(Field, "hashes");

    /// <summary>Reads the header of a field.</summary>
    /// <exception cref="CorruptionException">The header is not one of a graph.</exception>
    public static bool TryReadHeader(TreeCatalog trees, string field, out GraphHeader header)
    {
        header = default;
        if (trees.FindTree(HeadersTree) is not { } headers || !headers.TryGet(Encoding.UTF8.GetBytes(field), out ReadOnlySpan<byte> bytes))
        {
            return false;
        }

        header = bytes.Length == GraphHeader.SizeOf ? MemoryMarshal.Read<GraphHeader>(bytes) : default;
        if (header.Version != GraphHeader.CurrentVersion || header.Edges is 0 or > GraphLimits.EdgesMax
            || header.Dimensions is 0 or > GraphLimits.DimensionsMax
            || header.CodeKind != GraphHeader.Int8Codes || header.TopLevel < -1 || header.TopLevel > GraphLimits.LevelMax
            || (long)header.Dead + header.Free > header.Nodes || (header.TopLevel >= 0 && header.Entry >= header.Nodes))
        {
            throw new CorruptionException($"The graph of the vectors of field '{field}' has a header that cannot be right, or one of a newer version.");
        }

        return true;
    }

    public static void WriteHeader(TreeCatalog trees, string field, in GraphHeader header) =>
        trees.CreateTree(HeadersTree).Put(Encoding.UTF8.GetBytes(field), MemoryMarshal.AsBytes(new ReadOnlySpan<GraphHeader>(in header)));

    /// <summary>Opens a column of a snapshot; null while it is empty.</summary>
    public PageColumn? Find(TreeCatalog trees, PageReader pages, int column) =>
        PageColumn.Find(trees, pages, NameOf(Field, s_columns[column]), _directories[column]);

    /// <summary>Opens a column of a write transaction.</summary>
    public PageColumn Create(TreeCatalog trees, PageWriter pages, int column) =>
        PageColumn.Create(trees, pages, NameOf(Field, s_columns[column]), SizeOf(column), _directories[column]);

    private int SizeOf(int column) => column switch { 0 => Layout.NodeSize, 1 => Layout.UpperSize, 2 => Layout.VectorSize, _ => Layout.CodeSize };

    private static byte[] NameOf(string field, string part) => Encoding.UTF8.GetBytes($"vectors/{part}/{field}");
}
