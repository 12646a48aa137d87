using System.Text;
using System.Text.Json;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Linq;

/// <summary>The sum and the average of numbers that a query has selected. Whole numbers and decimals are added exactly.</summary>
internal static class NumberTotal
{
    /// <param name="rows">Objects with the number as a property. Rows without one do not count.</param>
    /// <exception cref="InvalidOperationException">There is no number for an average, and the type does not allow null.</exception>
    /// <exception cref="OverflowException">The sum does not fit into its type.</exception>
    public static TResult Of<TResult>(IReadOnlyList<JsonElement> rows, string property, bool isAverage)
    {
        byte[] name = Encoding.UTF8.GetBytes(property);
        (decimal exact, double inexact, int count) = (0, 0, 0);
        bool isExact = Expressions.Plain(typeof(TResult)) == typeof(decimal);
        foreach (JsonElement row in rows)
        {
            if (!row.TryFind(name, out JsonElement number) || number.ValueKind != JsonValueKind.Number)
            {
                continue;
            }

            count++;
            if (isExact || number.TryGetInt64(out _))
            {
                exact += number.GetDecimal();
            }
            else
            {
                inexact += number.GetDouble();
            }
        }

        if (isAverage && count == 0)
        {
            return default(TResult) is null ? default! : throw new InvalidOperationException("No result has a number, so there is no average.");
        }

        int divisor = isAverage ? count : 1;
        return To<TResult>(isExact ? exact / divisor : inexact == 0 && !isAverage ? exact : ((double)exact + inexact) / divisor);
    }

    private static TResult To<TResult>(object total) => (TResult)System.Convert.ChangeType(total, Expressions.Plain(typeof(TResult)));
}
