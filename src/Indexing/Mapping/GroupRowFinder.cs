using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Json.Paths;
using Jackdaw.Json.Tape;

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
    /// <param name="sums">Texts of the paths of what is summed.</param>
    public GroupRowFinder(IReadOnlyList<AutoGroupKey> keys, IReadOnlyList<string> sums) => _slots =
    [
        .. keys.Select((key, i) => new Slot(i, key.Path == AutoDefinition.DocumentId ? null : DocumentPath.Parse(key.Path), key.IsWholeArray, false)),
        .. sums.Select((path, i) => new Slot(keys.Count + i, DocumentPath.Parse(path), IsWhole: false, IsSum: true)),
    ];

    /// <summary>The rows of a document.</summary>
    /// <exception cref="MapFailedException">There are too many.</exception>
    public List<Value[]> Find(Value document, string id)
    {
        List<Value[]> rows = Expand(document, [.. _slots.Where(slot => slot is { Path: not null, IsWhole: false })]);
        foreach (Slot slot in _slots.Where(slot => slot.Path is null || slot.IsWhole))
        {
            Value value = slot.Path is null ? id : WholeOf(document, slot.Path);
            rows.ForEach(row => row[slot.Position] = value);
        }

        return rows;
    }

    private static Value WholeOf(Value document, DocumentPath path)
    {
        var found = new List<Value>();
        new FieldPathValues(path).Find(document, found);
        return path.MeetsArray(document.Tape) ? Value.FromList([.. found]) : found.Count > 0 ? found[0] : Value.Null;
    }

    private List<Value[]> Expand(Value value, List<Slot> slots)
    {
        List<Value[]> rows = [new Value[_slots.Length]];
        if (value.IsList && slots.Any(slot => slot.IsForElementsOf(value)))
        {
            List<Slot> below = [.. slots.Where(slot => slot.IsSum || slot.IsForElementsOf(value))];
            rows = ExpandElements(value, [.. below.Select(slot => slot.BelowElement)]);
            slots = [.. slots.Except(below)];
        }

        foreach (IGrouping<PathPart?, Slot> below in slots.GroupBy(slot => slot.StepFrom(value)))
        {
            rows = below.Key is not null
                ? Combine(rows, Expand(NextOf(value, below.First().Rest), [.. below.Select(slot => slot.Next)]), below)
                : below.Aggregate(rows, (all, slot) => Assign(all, value, slot));
        }

        return rows;
    }

    private List<Value[]> ExpandElements(Value list, List<Slot> slots)
    {
        List<Value[]> all = [];
        foreach (Value element in list.AsSequence())
        {
            all.AddRange(Expand(element, slots));
            Check(all.Count);
        }

        return all;
    }

    private static Value NextOf(Value value, DocumentPath rest)
    {
        if (rest.Parts[0].IsEach)
        {
            return value;
        }

        TapeValue next = value.IsObject || value.IsList ? rest.FindFirst(value.Tape) : default;
        return next.Exists ? Value.FromTape(value.Document, next.Index) : Value.Missing;
    }

    // What is left of the path is computed, or there is nothing left.
    private List<Value[]> Assign(List<Value[]> rows, Value value, Slot slot)
    {
        List<Value> found = [];
        if (slot.IsAtEnd && !(slot.IsSum && value.IsList))
        {
            found.Add(value.IsMissing ? Value.Null : value);
        }
        else if (value.IsObject || value.IsList || value.IsText)
        {
            new FieldPathValues(slot.Rest).FindPlaces(value.Document, value.Tape, found);
        }
        else
        {
            found.Add(Value.Null);
        }

        return Combine(rows, [.. (slot.IsSum ? [NumberSum.Of(found)] : found).Select(one => RowOf(slot, one))], [slot]);
    }

    private Value[] RowOf(Slot slot, Value value)
    {
        var row = new Value[_slots.Length];
        row[slot.Position] = value;
        return row;
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

    private static void Check(long rows)
    {
        if (rows > RowsMax)
        {
            throw new MapFailedException(new InvalidOperationException(
                $"The document gives more than {RowsMax} rows to the groups: keys of different arrays are combined. Group by fewer arrays."));
        }
    }

    /// <summary>A key or a sum, and where its values stand in a row.</summary>
    /// <param name="Path">Null for the id of the document.</param>
    /// <param name="At">The number of parts that are behind.</param>
    private sealed record Slot(int Position, DocumentPath? Path, bool IsWhole, bool IsSum, int At = 0)
    {
        public bool IsAtEnd => At == Path!.Parts.Count;

        // From each part on; the slots of later parts share them.
        private readonly DocumentPath[] _rests =
            [.. Enumerable.Range(0, (Path?.Parts.Count ?? 0) + 1).Select(at => new DocumentPath(Path?.Parts.Skip(at) ?? []))];

        /// <summary>The path from here on.</summary>
        public DocumentPath Rest => _rests[At];

        public Slot Next => this with { At = At + 1 };

        /// <summary>The slot at an element of a list.</summary>
        public Slot BelowElement => !IsAtEnd && Path!.Parts[At].IsEach ? Next : this;

        /// <summary>Whether it is a key for each element of a list. A sum is of all elements, unless a key goes through them.</summary>
        public bool IsForElementsOf(Value list) => !IsSum && (IsAtEnd || Rest.IsForElementsOf(list.Tape));

        /// <summary>The next step to a part of the document; null when there is none, or what follows is not stored.</summary>
        public PathPart? StepFrom(Value value) => IsAtEnd || (IsSum && value.IsList) ? null
            : value.IsMissing || value.IsObject || value.IsList ? Stored(Path!.Parts[At], value)
            : Path!.Parts[At].IsEach ? Path.Parts[At] : null;

        private static PathPart? Stored(PathPart part, Value value) =>
            part.Name is not { } name || !ComputedMembers.IsKnown(name) || (value.IsObject && value.HasMember(name)) ? part : null;
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
