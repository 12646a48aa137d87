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
                CollectMember(value, path, member, take);
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

    // A member of the document wins over the words for all keys and all values.
    private static void CollectMember(TapeValue value, IncludePath path, int member, Action<string> take)
    {
        byte[] name = path.Members[member];
        TapeValue found = value[name];
        if (found.Exists)
        {
            Collect(found, path, member + 1, take);
        }
        else if (name.AsSpan().SequenceEqual(IncludePath.AllValues))
        {
            foreach (TapeMember each in value.Members)
            {
                Collect(each.Value, path, member + 1, take);
            }
        }
        else if (member == path.Members.Length - 1 && name.AsSpan().SequenceEqual(IncludePath.AllKeys))
        {
            foreach (TapeMember each in value.Members)
            {
                byte[] buffer = new byte[each.NameSource.Length];
                Add(Encoding.UTF8.GetString(buffer, 0, each.CopyName(buffer)), path, take);
            }
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
