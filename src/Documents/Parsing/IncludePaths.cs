using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Json.Paths;
using Jackdaw.Json.Tape;

namespace Jackdaw.Documents.Parsing;

/// <summary>Finds the ids in a stored document at an <see cref="IncludePath"/>.</summary>
/// <remarks>It allocates the ids, and keeps none. Missing members, and values that cannot be ids, are not errors: then there is nothing to include.</remarks>
internal static class IncludePaths
{
    /// <summary>Reports the ids in the order of the document. Equal ids are reported each time.</summary>
    public static void Collect(TapeValue document, IncludePath path, Action<string> take)
    {
        var ids = new Ids(path, take);
        path.Members.Any(document, ref ids);
    }

    private static void Add(string value, IncludePath path, Action<string> take)
    {
        // A text that is too long is not an id. The length is checked first, because otherwise a long prefix would be copied for each value.
        if (value.Length > 0 && path.Before.Length + value.Length + path.After.Length <= DocumentIds.IdBytesMax)
        {
            take($"{path.Before}{value}{path.After}");
        }
    }

    private readonly struct Ids(IncludePath path, Action<string> take) : IValueTest
    {
        public bool Test(TapeValue value)
        {
            if (value.Kind == JsonKind.String)
            {
                Add(value.ToText()!, path, take);
            }
            else if (value.Kind == JsonKind.Number && path.TakesNumbers)
            {
                Add(Encoding.ASCII.GetString(value.Source), path, take);
            }

            return false;
        }
    }
}
