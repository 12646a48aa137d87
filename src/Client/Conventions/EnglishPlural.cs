namespace Jackdaw.Client.Conventions;

/// <summary>Plurals of type names, by a fixed algorithm: a name of a collection must never change with a library.</summary>
/// <remarks>Rules, in this order: words without a plural; irregular last words; then endings. Only the last word of a name in Pascal case
/// changes.</remarks>
internal static class EnglishPlural
{
    private static readonly Dictionary<string, string> s_irregular = new(StringComparer.OrdinalIgnoreCase)
    {
        ["person"] = "people",
        ["man"] = "men",
        ["woman"] = "women",
        ["child"] = "children",
        ["foot"] = "feet",
        ["tooth"] = "teeth",
        ["goose"] = "geese",
        ["mouse"] = "mice",
        ["ox"] = "oxen",
        ["quiz"] = "quizzes",
        ["datum"] = "data",
        ["medium"] = "media",
        ["criterion"] = "criteria",
        ["matrix"] = "matrices",
        ["vertex"] = "vertices",
        ["index"] = "indexes",
        ["leaf"] = "leaves",
        ["life"] = "lives",
        ["knife"] = "knives",
        ["wife"] = "wives",
        ["half"] = "halves",
        ["shelf"] = "shelves",
        ["self"] = "selves",
        ["thief"] = "thieves",
        ["wolf"] = "wolves",
        ["analysis"] = "analyses",
        ["basis"] = "bases",
        ["crisis"] = "crises",
        ["axis"] = "axes",
        ["hero"] = "heroes",
        ["potato"] = "potatoes",
        ["tomato"] = "tomatoes",
        ["echo"] = "echoes",
    };

    private static readonly HashSet<string> s_same = new(StringComparer.OrdinalIgnoreCase)
    {
        "equipment", "information", "rice", "money", "species", "series", "fish", "sheep", "news", "data", "media", "people", "children", "men", "women",
        "feedback", "software", "hardware", "metadata",
    };

    /// <summary>The plural of a name. A name that is a plural already is returned unchanged.</summary>
    public static string Of(string name)
    {
        int start = LastWord(name);
        string word = name[start..];
        if (s_same.Contains(word))
        {
            return name;
        }

        return name[..start] + (s_irregular.TryGetValue(word, out string? plural) ? WithCaseOf(word, plural) : Regular(word));
    }

    private static string Regular(string word)
    {
        bool Ends(params ReadOnlySpan<string> endings)
        {
            foreach (string ending in endings)
            {
                if (word.EndsWith(ending, StringComparison.OrdinalIgnoreCase))
                {
                    return true;
                }
            }

            return false;
        }

        if (word.Length > 1 && Ends("y") && !"aeiou".Contains(char.ToLowerInvariant(word[^2]), StringComparison.Ordinal))
        {
            return word[..^1] + "ies";
        }

        return Ends("s", "x", "z", "ch", "sh") && !Ends("ies") ? IsPlural(word) ? word : word + "es" : Ends("ies") ? word : word + "s";
    }

    // Users and Orders are plurals already. Address, Bus and Status are not.
    private static bool IsPlural(string word) =>
        word.Length > 3 && word.EndsWith('s') && !word.EndsWith("ss", StringComparison.Ordinal) && !word.EndsWith("us", StringComparison.Ordinal)
        && !word.EndsWith("is", StringComparison.Ordinal) && !word.EndsWith("as", StringComparison.Ordinal);

    private static string WithCaseOf(string word, string plural) => char.IsUpper(word[0]) ? char.ToUpperInvariant(plural[0]) + plural[1..] : plural;

    private static int LastWord(string name)
    {
        int start = name.Length - 1;
        while (start > 0 && !char.IsUpper(name[start]))
        {
            start--;
        }

        return Math.Max(start, 0);
    }
}
