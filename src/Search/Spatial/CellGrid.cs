using Jackdaw.Search.Entries;

namespace Jackdaw.Search.Spatial;

/// <summary>Names the cells of a plane. Each cell is divided into 4 by 4 smaller ones, whose names are one character longer. Immutable.</summary>
/// <remarks>
/// An entry has, for each cell that one of its shapes touches, the names of all larger cells and its own, and its own name with a mark. The smallest cells of
/// all have no other name than that with the mark: whoever searches for one looks for it too. So a search for a cell finds the entries that lie within it by
/// its own name, and those that cover it by the marked names of itself and of all larger cells. These entries are candidates; their shapes decide whether
/// they match.
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
    public const char Mark = '+';

    private readonly Box _all = settings.IsGeography
        ? new Box(-180, 180, -90, 90)
        : new Box(settings.MinX, settings.MaxX, settings.MinY, settings.MaxY);

    /// <summary>The terms of a shape of an entry.</summary>
    public IEnumerable<string> EntryTerms(Shape shape)
    {
        HashSet<string> terms = [];
        foreach (string cell in Cover(shape, EntryCellsMax))
        {
            for (int length = All.Length; length <= Math.Min(cell.Length, LevelsMax); length++)
            {
                terms.Add(cell[..length]);
            }

            terms.Add(cell + Mark);
        }

        return terms;
    }

    /// <summary>The bytes of the name of a smallest cell.</summary>
    public const int NameBytes = LevelsMax + 1;

    /// <summary>Finds the smallest cell of a point, without an object for each of its terms, which are the beginnings of its name that are shorter, and its
    /// name with <see cref="Mark"/>.</summary>
    /// <param name="name">Becomes the name.</param>
    /// <returns>False when it has other cells, as on a border of two: then <see cref="EntryTerms"/> knows them.</returns>
    public bool TryFindCell(double y, double x, Span<byte> name)
    {
        (double minX, double maxX, double minY, double maxY) = (_all.MinX, _all.MaxX, _all.MinY, _all.MaxY);
        name[0] = (byte)All[0];
        for (int level = 1; level < NameBytes; level++)
        {
            int column = FindPart(ref minX, ref maxX, x), row = FindPart(ref minY, ref maxY, y);
            if (column < 0 || row < 0)
            {
                return false;
            }

            name[level] = (byte)('a' + (row * Side) + column);
        }

        return true;
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

    // The one part of a side that has a place, with the numbers of AddParts; -1 for none, or for several.
    private static int FindPart(ref double min, ref double max, double place)
    {
        double size = (max - min) / Side, foundMin = 0, foundMax = 0;
        int found = -1;
        for (int i = 0; i < Side; i++)
        {
            double low = min + (i * size), high = i == Side - 1 ? max : min + ((i + 1) * size);
            if (low <= place && place <= high)
            {
                if (found >= 0)
                {
                    return -1;
                }

                (found, foundMin, foundMax) = (i, low, high);
            }
        }

        (min, max) = (foundMin, foundMax);
        return found;
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
