using System.Globalization;
using System.Text;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Running;

/// <summary>Writes the key of a group as a text. Equal keys have equal texts, and different keys have different texts.</summary>
/// <remarks>Numbers are written by value, so 1 and 1.0 are equal. Everything else is written as its text after the length, so that two
/// texts cannot look like one. Members of compound keys are in the order of the definition.</remarks>
internal static class GroupKey
{
    /// <summary>Division by a 1 with all decimal places removes trailing zeros: 1.50 becomes 1.5.</summary>
    private const decimal OneWithAllDigits = 1.0000000000000000000000000000m;

    public static string TextOf(Value key)
    {
        var text = new StringBuilder();
        Append(text, key);
        return text.ToString();
    }

    private static void Append(StringBuilder text, Value key)
    {
        ExecutionBudget.Enter();
        if (key.IsNull)
        {
            text.Append('n');
        }
        else if (key.IsNumber)
        {
            text.Append('#').Append(NumberText(key)).Append(';');
        }
        else if (key.Kind == ValueKind.Bool)
        {
            text.Append(key.AsCondition() ? 't' : 'f');
        }
        else if (key.IsObject)
        {
            text.Append('{');
            foreach (NamedValue member in key.Members())
            {
                AppendText(text, member.Name);
                Append(text, member.Value);
            }

            text.Append('}');
        }
        else if (key.IsList)
        {
            text.Append('[');
            foreach (Value element in key.ToValues())
            {
                Append(text, element);
            }

            text.Append(']');
        }
        else
        {
            AppendText(text, key.ToString());
        }
    }

    private static void AppendText(StringBuilder text, string value) => text.Append('"')
        .Append(value.Length.ToString(CultureInfo.InvariantCulture)).Append(':').Append(value);

    private static string NumberText(Value number) => number.TryGetDecimal(out decimal exact)
        ? (exact / OneWithAllDigits).ToString(CultureInfo.InvariantCulture)
        : number.AsDouble().ToString("R", CultureInfo.InvariantCulture);
}
