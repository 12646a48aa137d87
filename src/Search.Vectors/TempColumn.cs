using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;
namespace Jackdaw.Storage.Columns;
public sealed class ColumnDirectory { internal List<long> E = []; }
public sealed class Column
{
    FixedSizeTree<long, long> _t; TreeCatalog _c; byte[] _n; PageWriter? _w; ColumnDirectory _d;
    Column(TreeCatalog c, PageReader r, ReadOnlySpan<byte> n, TreeHeader h, ColumnDirectory d) { _c = c; _n = n.ToArray(); _w = r as PageWriter; _t = _w is null ? new(r, h) : new(_w, h); _d = d; lock (d) { for (long i = d.E.Count; i < _t.EntryCount; i++) { _t.TryGet(i, out long v); d.E.Add(v); } } }
    public static Column? Find(TreeCatalog c, PageReader r, ReadOnlySpan<byte> n, ColumnDirectory d) => c.TryGetHeader(n, out TreeHeader h) ? new(c, r, n, h, d) : null;
    public static Column Create(TreeCatalog c, PageWriter r, ReadOnlySpan<byte> n, int size, ColumnDirectory d) => new(c, r, n, c.TryGetHeader(n, out TreeHeader h) ? h : FixedSizeTreeHeader.CreateEmpty<long, long>(TreeCatalog.OwnerTagOf(n)), d);
    public long PageCount => _t.EntryCount * 16;
    public PageNumber PageAt(long i) => new(_d.E[(int)(i / 16)] + i % 16);
    public void Grow(long p) { while (PageCount < p) { var f = _w!.AllocateNeighbours(16, PageType.Overflow, 7); _d.E.Add(f.Value); _t.Put(_t.EntryCount, f.Value); _c.SetHeader(_n, _t.Header); } }
}
