using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Json.Tape;

namespace Jackdaw.Documents.Parsing;

/// <summary>Finds the ids that a stored document holds at an <see cref="IncludePath"/>.</summary>
/// <remarks>Allocates the ids, and keeps none. Missing members, and values that cannot be ids, are no error: there is
/// nothing to include then.</remarks>
internal static class IncludePaths
{
    /// <summary>Reports the ids in the order of the document; equal ones are reported each time.</summary>
    public static void Collect(TapeValue document, IncludePath path, Action<string> take)
        => Collect(document, path, member: 0, take);

    // Arrays are walked through wherever they are. No deeper than the document, whose depth is bounded.
    private static void Collect(TapeValue value, IncludePath path, int member, Action<string> take)
    {
        switch (value.Kind)
        {
            case JsonKind.Array:
                foreach (TapeValue element in value.Elements)
                {
                    Collect(element, path, member, take);
                }
                break;
            case JsonKind.Object when member < path.Members.Length:
                Collect(value[path.Members[member]], path, member + 1, take);
                break;
            case JsonKind.String when member == path.Members.Length:
                Add(value.ToText()!, path, take);
                break;
            case JsonKind.Number when member == path.Members.Length && path.TakesNumbers:
                Add(Encoding.ASCII.GetString(value.Source), path, take);
                break;
            default:
                break;
        }
    }

    private static void Add(string value, IncludePath path, Action<string> take)
    {
        // One that is too long is no id; made before it is refused, a long prefix would cost its length for each value.
        if (value.Length > 0 && path.Before.Length + value.Length + path.After.Length <= DocumentIds.IdBytesMax)
        {
            take($"{path.Before}{value}{path.After}");
        }
    }
}
