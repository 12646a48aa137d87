using System.Runtime.InteropServices;
using System.Text;
using Jackdaw.Search.Vectors.Codes;
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

    private static readonly string[] s_columns = ["nodes", "upper", "vectors", "codes", "signs"];

    private readonly uint _generation;
    private readonly ColumnDirectory[] _directories = [new(), new(), new(), new()];

    public VectorGraph(string field, in GraphHeader header)
    {
        Field = field;
        CodeKind = header.CodeKind;
        _generation = header.Generation;
        Layout = new GraphLayout(header.Dimensions, header.Edges, CodeOf(header));
    }

    public string Field { get; }

    public VectorCodeKind CodeKind { get; }

    public GraphLayout Layout { get; }

    /// <summary>The tree that finds a node by the hash of its vector.</summary>
    public byte[] HashesName => HashesNameOf(Field, _generation);

    /// <summary>The name of the tree of hashes of a graph.</summary>
    public static byte[] HashesNameOf(string field, uint generation) => NameOf(field, "hashes", generation);

    /// <summary>The names of all columns that a graph may have.</summary>
    public static IEnumerable<byte[]> ColumnsOf(string field, uint generation) =>
        s_columns.Select(column => NameOf(field, column, generation));

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
            || header.CodeKind is 0 or > VectorCodeKind.Binary || header.TopLevel < -1 || header.TopLevel > GraphLimits.LevelMax
            || (long)header.Dead + header.Free > header.Nodes || header.Recoded > header.Nodes
            || header.Candidates is 0 or > Queries.VectorNode.CandidatesMax || (header.TopLevel >= 0 && header.Entry >= header.Nodes))
        {
            throw new CorruptionException($"The graph of the vectors of field '{field}' has a header that cannot be right, or one of a newer version.");
        }

        return true;
    }

    public static void WriteHeader(TreeCatalog trees, string field, in GraphHeader header) =>
        trees.CreateTree(HeadersTree).Put(Encoding.UTF8.GetBytes(field), MemoryMarshal.AsBytes(new ReadOnlySpan<GraphHeader>(in header)));

    /// <summary>Opens a column of a snapshot; null while it is empty.</summary>
    /// <exception cref="CorruptionException">Its records have another size than the header of the graph says.</exception>
    public PageColumn? Find(TreeCatalog trees, PageReader pages, GraphColumn column)
    {
        PageColumn? found = PageColumn.Find(trees, pages, NameOf(Field, NameOf(column), _generation), _directories[(int)column]);
        return found is null || found.RecordSize == SizeOf(column) ? found
            : throw new CorruptionException($"The {NameOf(column)} of the vectors of field '{Field}' have {found.RecordSize} bytes each, but the header of the "
                + $"graph says {SizeOf(column)}: delete the index, so that it is built again.");
    }

    /// <summary>Opens a column of a write transaction.</summary>
    public PageColumn Create(TreeCatalog trees, PageWriter pages, GraphColumn column) =>
        Find(trees, pages, column) ?? PageColumn.Create(trees, pages, NameOf(Field, NameOf(column), _generation), SizeOf(column), _directories[(int)column]);

    /// <summary>Frees the pages of a column.</summary>
    public void Drop(TreeCatalog trees, PageWriter pages, GraphColumn column) =>
        PageColumn.Drop(trees, pages, NameOf(Field, NameOf(column), _generation));

    private static VectorCode CodeOf(in GraphHeader header) => header.CodeKind switch
    {
        VectorCodeKind.Signs => new SignCode(header.Dimensions, header.Seed),
        VectorCodeKind.Binary => new BinaryCode(header.Dimensions),
        _ => new Int8Code(header.Dimensions, isExact: header.CodeKind == VectorCodeKind.Int8),
    };

    private string NameOf(GraphColumn column) => column switch
    {
        GraphColumn.Nodes => "nodes",
        GraphColumn.Upper => "upper",
        GraphColumn.Vectors => "vectors",
        _ => CodeKind == VectorCodeKind.Signs ? "signs" : "codes",
    };

    private int SizeOf(GraphColumn column) => column switch
    {
        GraphColumn.Nodes => Layout.NodeSize,
        GraphColumn.Upper => Layout.UpperSize,
        GraphColumn.Vectors => Layout.VectorSize,
        _ => Layout.Code.Size,
    };

    private static byte[] NameOf(string field, string part, uint generation) =>
        Encoding.UTF8.GetBytes(generation == 0 ? $"vectors/{part}/{field}" : $"vectors/{part}:{generation}/{field}");
}

/// <summary>The columns of a graph.</summary>
internal enum GraphColumn
{
    Nodes,
    Upper,
    Vectors,
    Codes,
}
