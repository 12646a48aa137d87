using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Mapping;

/// <summary>Finds the rows that a document gives to the groups of a query: the values of its keys and of what is summed.</summary>
/// <remarks>
/// Keys below one array are taken from each element together; keys below different arrays are combined, each with each. A sum below an
/// array that a key goes through is that of the element; any other sum is that of all its values in the document. A key that is missing is
/// null; an array without elements gives no row. Recursion is as deep as the paths.
/// </remarks>
internal sealed class GroupRowFinder
{
    /// <summary>Rows of one document: enough for two arrays of some hundred elements each. A query that makes more does so by mistake.</summary>
    public const int RowsMax = 10_000;

    private readonly Slot[] _slots;

    /// <param name="keys">The keys; their values come first in each row.</param>
    /// <param name="sums">Paths of what is summed.</param>
    public GroupRowFinder(IReadOnlyList<AutoGroupKey> keys, IReadOnlyList<string> sums) => _slots =
    [
        .. keys.Select((key, i) => new Slot(i, key.Path == AutoDefinition.DocumentId ? null : key.Path, key.IsWholeArray, IsSum: false)),
        .. sums.Select((path, i) => new Slot(keys.Count + i, path, IsWhole: false, IsSum: true)),
    ];

    /// <summary>The rows of a document.</summary>
    /// <exception cref="MapFailedException">There are too many.</exception>
    public List<Value[]> Find(Value document, string id)
    {
        List<Value[]> rows = Expand(document, [.. _slots.Where(slot => slot is { Names: not null, IsWhole: false })], 0);
        foreach (Slot slot in _slots.Where(slot => slot.Names is null || slot.IsWhole))
        {
            Value value = slot.Names is null ? id : WholeOf(document, slot);
            rows.ForEach(row => row[slot.Position] = value);
        }

        return rows;
    }

    private static Value WholeOf(Value document, Slot slot)
    {
        var found = new List<Value>();
        bool isSeveral = slot.Whole!.Find(document, found);
        return isSeveral ? Value.FromList([.. found]) : found.Count > 0 ? found[0] : Value.Null;
    }

    private List<Value[]> Expand(Value value, List<Slot> slots, int part)
    {
        if (value.IsList && slots.Any(slot => !slot.IsSum))
        {
            List<Value[]> all = [];
            foreach (Value element in value.AsSequence())
            {
                all.AddRange(Expand(element, slots, part));
                Check(all.Count);
            }

            return all;
        }

        List<Value[]> rows = [new Value[_slots.Length]];
        foreach (IGrouping<string?, Slot> below in slots.GroupBy(slot => slot.IsSum && value.IsList ? null : slot.NameAt(part)))
        {
            rows = below.Key is null
                ? Assign(rows, value, [.. below], part)
                : Combine(rows, Expand(value.IsObject ? value.Member(below.Key) : Value.Missing, [.. below], part + 1), below);
        }

        return rows;
    }

    private static List<Value[]> Assign(List<Value[]> rows, Value value, List<Slot> slots, int part)
    {
        foreach (Slot slot in slots)
        {
            Value assigned = slot.IsSum ? SumOf(value, slot, part) : value.IsMissing ? Value.Null : value;
            rows.ForEach(row => row[slot.Position] = assigned);
        }

        return rows;
    }

    private static List<Value[]> Combine(List<Value[]> rows, List<Value[]> others, IEnumerable<Slot> slots)
    {
        Check((long)rows.Count * others.Count);
        List<Value[]> combined = new(rows.Count * others.Count);
        int[] positions = [.. slots.Select(slot => slot.Position)];
        foreach (Value[] row in rows)
        {
            foreach (Value[] other in others)
            {
                var both = (Value[])row.Clone();
                foreach (int position in positions)
                {
                    both[position] = other[position];
                }

                combined.Add(both);
            }
        }

        return combined;
    }

    private static Value SumOf(Value value, Slot slot, int part)
    {
        var found = new List<Value>();
        slot.Rest(part).Find(value, found);
        return NumberSum.Of(found);
    }

    private static void Check(long rows)
    {
        if (rows > RowsMax)
        {
            throw new MapFailedException(new InvalidOperationException(
                $"The document gives more than {RowsMax} rows to the groups: keys of different arrays are combined. Group by fewer arrays."));
        }
    }

    /// <summary>A key or a sum, and where its values stand in a row.</summary>
    private sealed record Slot(int Position, string? Path, bool IsWhole, bool IsSum)
    {
        public string[]? Names { get; } = Path is null ? null : FieldPathValues.Split(Path);

        public FieldPathValues? Whole { get; } = Path is null ? null : new FieldPathValues(Path);

        /// <summary>Null at the end of the path.</summary>
        public string? NameAt(int part) => part < Names!.Length ? Names[part] : null;

        public FieldPathValues Rest(int part) => new(Names![part..]);
    }
}

/// <summary>Adds numbers: exactly, as decimals, as far as their range goes, and otherwise as doubles. Other values count as nothing.</summary>
internal static class NumberSum
{
    /// <summary>Division by a 1 with all decimal places removes trailing zeros: 15.0 becomes 15.</summary>
    private const decimal OneWithAllDigits = 1.0000000000000000000000000000m;

    public static Value Of(IEnumerable<Value> values)
    {
        decimal exact = 0;
        double rough = 0;
        bool isExact = true;
        foreach (Value value in values.Where(value => value.IsNumber))
        {
            rough += value.AsDouble();
            isExact = isExact && value.TryGetDecimal(out decimal number) && TryAdd(ref exact, number);
        }

        return !isExact ? rough
            : decimal.IsInteger(exact) && exact is >= long.MinValue and <= long.MaxValue ? (long)exact
            : exact / OneWithAllDigits;
    }

    private static bool TryAdd(ref decimal sum, decimal number)
    {
        try
        {
            sum += number;
            return true;
        }
        catch (OverflowException)
        {
            return false;
        }
    }
}
