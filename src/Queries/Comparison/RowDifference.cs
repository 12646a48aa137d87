namespace Jackdaw.Queries.Comparison;

/// <summary>How the rows of two engines differ.</summary>
/// <param name="First">The name of an engine.</param>
/// <param name="Second">The name of the other one.</param>
/// <param name="OnlyFirst">Rows that only the first one finds.</param>
/// <param name="OnlySecond">Rows that only the second one finds.</param>
/// <param name="IsOrderEqual">Whether equal rows come in the same order; null where no order is asked for that every engine must have, and for different rows.
/// </param>
internal sealed record RowDifference(string First, string Second, LostRows OnlyFirst, LostRows OnlySecond, bool? IsOrderEqual)
{
    /// <summary>Compares them. A row that one engine finds twice, and the other once, differs once.</summary>
    /// <param name="hasOrder">Whether the order has to be the same.</param>
    public static RowDifference Of(string first, FoundRows ofFirst, string second, FoundRows ofSecond, bool hasOrder)
    {
        var onlyFirst = LostRows.Of(ofFirst.Rows, ofSecond.Rows);
        var onlySecond = LostRows.Of(ofSecond.Rows, ofFirst.Rows);
        bool areSame = onlyFirst.Count == 0 && onlySecond.Count == 0;
        return new RowDifference(
            first, second, onlyFirst, onlySecond, hasOrder && areSame ? ofFirst.Rows.SequenceEqual(ofSecond.Rows, StringComparer.Ordinal) : null);
    }
}

/// <summary>Rows that one engine finds and the other one does not.</summary>
/// <param name="Count">How many.</param>
/// <param name="Rows">The first of them.</param>
internal sealed record LostRows(int Count, IReadOnlyList<string> Rows)
{
    /// <summary>Rows that are named: enough to look for the reason.</summary>
    public const int NamedMax = 20;

    /// <summary>The rows of <paramref name="found"/> that are not in <paramref name="others"/>.</summary>
    public static LostRows Of(IReadOnlyList<string> found, IReadOnlyList<string> others)
    {
        var left = new Dictionary<string, int>(StringComparer.Ordinal);
        foreach (string other in others)
        {
            left[other] = left.GetValueOrDefault(other) + 1;
        }

        int count = 0;
        List<string> named = [];
        foreach (string row in found)
        {
            if (left.GetValueOrDefault(row) is > 0 and int times)
            {
                left[row] = times - 1;
                continue;
            }

            count++;
            if (named.Count < NamedMax)
            {
                named.Add(row);
            }
        }

        return new LostRows(count, named);
    }
}
