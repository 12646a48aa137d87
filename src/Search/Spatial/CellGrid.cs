using System.Buffers;
using System.Text;
using Jackdaw.Search.Entries;

namespace Jackdaw.Search.Spatial;

/// <summary>Names the cells of a plane. Each cell is divided into 4 by 4 smaller ones, whose names are one character longer. Immutable.</summary>
/// <remarks>
/// An entry has, for each cell that one of its shapes touches, the names of all larger cells, and the name of the smallest one with a
/// mark. So a search for a cell finds the entries that lie within it by its own name, and those that cover it by the marked names of itself and of all larger
/// cells. These entries are candidates; their shapes decide whether they match.
/// </remarks>
public sealed class CellGrid(SpatialSettings settings)
{
    /// <summary>The cell that contains all others: each entry with a shape has its name.</summary>
    public const string All = "c";

    /// <summary>The number of cells along a side of the next larger cell.</summary>
    private const int Side = 4;

    /// <summary>The characters in the names of the smallest cells, which are 150 m wide at the equator. Each further character would add a term to every
    /// point.</summary>
    private const int LevelsMax = 9;

    /// <summary>The most cells of a shape of an entry: this bounds the terms of a large polygon.</summary>
    private const int EntryCellsMax = 40;

    /// <summary>The most cells that are searched: more cells would find fewer candidates, but need more terms.</summary>
    private const int SearchCellsMax = 100;

    /// <summary>The mark after the name of a smallest cell of an entry.</summary>
    private const char Mark = '+';

    private readonly Box _all = settings.IsGeography
        ? new Box(-180, 180, -90, 90)
        : new Box(settings.MinX, settings.MaxX, settings.MinY, settings.MaxY);

    /// <summary>The terms of a shape of an entry.</summary>
    public IEnumerable<string> EntryTerms(Shape shape)
    {
        HashSet<string> terms = [];
        foreach (string cell in Cover(shape, EntryCellsMax))
        {
            for (int length = All.Length; length <= cell.Length; length++)
            {
                terms.Add(cell[..length]);
            }

            terms.Add(cell + Mark);
        }

        return terms;
    }

    /// <summary>Hands over the terms of a shape of an entry, in UTF-8: the same as <see cref="EntryTerms"/>, for a point without an object for each.</summary>
    /// <param name="add">The term is valid until it returns.</param>
    public void ForEachEntryTerm<TState>(Shape shape, TState state, ReadOnlySpanAction<byte, TState> add)
    {
        ArgumentNullException.ThrowIfNull(add);
        Span<byte> cell = stackalloc byte[All.Length + LevelsMax + 1];
        if (shape is PointShape point && TryFindCell(point, cell, out int smallest))
        {
            for (int length = All.Length; length <= smallest; length++)
            {
                add(cell[..length], state);
            }

            cell[smallest] = (byte)Mark;
            add(cell[..(smallest + 1)], state);
            return;
        }

        Span<byte> utf8 = stackalloc byte[All.Length + LevelsMax + 1];
        foreach (string term in EntryTerms(shape))
        {
            add(utf8[..Encoding.UTF8.GetBytes(term, utf8)], state);
        }
    }

    /// <summary>The terms to search for: each entry whose shape may meet the given shape has at least one of them.</summary>
    public IEnumerable<string> SearchTerms(Shape shape)
    {
        HashSet<string> terms = [];
        foreach (string cell in Cover(shape, SearchCellsMax))
        {
            terms.Add(cell);
            for (int length = All.Length; length <= cell.Length; length++)
            {
                terms.Add(cell[..length] + Mark);
            }
        }

        return terms;
    }

    // Divides cells as long as they are not too many. Places outside the plane are in the cell that contains all others.
    private List<string> Cover(Shape shape, int most)
    {
        if (shape.Boxes.Any(box => !_all.Contains(box) && !settings.IsGeography))
        {
            return [All];
        }

        List<(string Name, Box Box)> cells = [(All, _all)];
        for (int level = 0; level < LevelsMax; level++)
        {
            List<(string Name, Box Box)> smaller = [];
            foreach ((string name, Box box) in cells)
            {
                // A cell is not divided when all of it lies within the shape's box.
                if (name.Length < level + All.Length || shape.Boxes.Any(whole => whole.Contains(box)))
                {
                    smaller.Add((name, box));
                    continue;
                }

                AddParts(name, box, shape, smaller);
            }

            if (smaller.Count > most)
            {
                break;
            }

            cells = smaller;
        }

        return [.. cells.Select(cell => cell.Name)];
    }

    // The smallest cell of a point; false on the edge between cells, where it is in several of them.
    private bool TryFindCell(PointShape point, Span<byte> name, out int length)
    {
        length = All.Length;
        name[0] = (byte)All[0];
        if (!_all.Contains(new Box(point.X, point.X, point.Y, point.Y)))
        {
            return !settings.IsGeography;
        }

        Box box = _all;
        for (; length < All.Length + LevelsMax; length++)
        {
            if (!TryFindPart(point.X, box.MinX, box.MaxX, out int column, out double minX, out double maxX)
                || !TryFindPart(point.Y, box.MinY, box.MaxY, out int row, out double minY, out double maxY))
            {
                return false;
            }

            name[length] = (byte)('a' + column + (row * Side));
            box = new Box(minX, maxX, minY, maxY);
        }

        return true;
    }

    // With the ends that AddParts computes.
    private static bool TryFindPart(double place, double min, double max, out int part, out double partMin, out double partMax)
    {
        double width = (max - min) / Side;
        int found = 0;
        (part, partMin, partMax) = (0, min, max);
        for (int i = 0; i < Side; i++)
        {
            double low = min + (i * width);
            double high = i == Side - 1 ? max : min + ((i + 1) * width);
            if (low <= place && place <= high)
            {
                (part, partMin, partMax) = (i, low, high);
                found++;
            }
        }

        return found == 1;
    }

    private static void AddParts(string name, Box box, Shape shape, List<(string Name, Box Box)> parts)
    {
        double width = (box.MaxX - box.MinX) / Side;
        double height = (box.MaxY - box.MinY) / Side;
        for (int i = 0; i < Side * Side; i++)
        {
            (int column, int row) = (i % Side, i / Side);

            // The last cells end exactly where the larger cell ends, in spite of rounding.
            var part = new Box(
                box.MinX + (column * width), column == Side - 1 ? box.MaxX : box.MinX + ((column + 1) * width),
                box.MinY + (row * height), row == Side - 1 ? box.MaxY : box.MinY + ((row + 1) * height));
            if (shape.Boxes.Any(whole => whole.Intersects(part)))
            {
                parts.Add((name + (char)('a' + i), part));
            }
        }
    }
}
