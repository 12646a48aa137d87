using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Json.Tape;

namespace Jackdaw.Documents.Parsing;

/// <summary>Finds the ids in a stored document at an <see cref="IncludePath"/>.</summary>
/// <remarks>It allocates the ids, and keeps none. Missing members, and values that cannot be ids, are not errors: then there is nothing to include.</remarks>
internal static class IncludePaths
{
    /// <summary>Reports the ids in the order of the document. Equal ids are reported each time.</summary>
    public static void Collect(TapeValue document, IncludePath path, Action<string> take)
        => Collect(document, path, member: 0, take);

    // Arrays are walked through at any place. The recursion is at most as deep as the document, whose depth is bounded.
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
        // A text that is too long is not an id. The length is checked first, because otherwise a long prefix would be copied for each value.
        if (value.Length > 0 && path.Before.Length + value.Length + path.After.Length <= DocumentIds.IdBytesMax)
        {
            take($"{path.Before}{value}{path.After}");
        }
    }
}
