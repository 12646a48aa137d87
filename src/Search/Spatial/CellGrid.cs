using Jackdaw.Search.Entries;

namespace Jackdaw.Search.Spatial;

/// <summary>Names of the cells of a plane: each is divided into 4 by 4 smaller ones, whose names have a character more. Immutable.</summary>
/// <remarks>
/// An entry has, for each cell that one of its shapes touches, the names of all larger cells, and the name of the smallest one with a
/// mark. So a searched cell finds the entries that lie within it by its own name, and those that lie over it by the marked names of
/// itself and of all larger cells. What is found that way is a candidate; whether it is in, its shape says.
/// </remarks>
public sealed class CellGrid(SpatialSettings settings)
{
    /// <summary>The cell of all: each entry with a shape has its name.</summary>
    public const string All = "c";

    /// <summary>Cells along a side of the next larger one.</summary>
    private const int Side = 4;

    /// <summary>Characters of the smallest cells: on the earth 150 m at the equator. Each is a term more for every point.</summary>
    private const int LevelsMax = 9;

    /// <summary>Cells of a shape of an entry: what a large polygon costs.</summary>
    private const int EntryCellsMax = 40;

    /// <summary>Cells that are searched: more of them make fewer candidates, and more terms to read.</summary>
    private const int SearchCellsMax = 100;

    /// <summary>Behind the name of a smallest cell of an entry.</summary>
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

    /// <summary>The terms one of which each entry has whose shape may meet a shape.</summary>
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

    // Goes down while the cells are not too many. What lies beyond the plane is in the cell of all.
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
                // A cell that lies within the shape's box as a whole is not divided.
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

    private static void AddParts(string name, Box box, Shape shape, List<(string Name, Box Box)> parts)
    {
        double width = (box.MaxX - box.MinX) / Side;
        double height = (box.MaxY - box.MinY) / Side;
        for (int i = 0; i < Side * Side; i++)
        {
            (int column, int row) = (i % Side, i / Side);

            // The last ones end where the whole does, whatever was rounded.
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
