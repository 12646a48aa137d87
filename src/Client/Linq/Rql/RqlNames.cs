using System.Text;

namespace Jackdaw.Client.Linq.Rql;

/// <summary>Names and texts as RQL and scripts write them.</summary>
internal static class RqlNames
{
    // Words of the language: as names of fields they are quoted, so that no server mistakes them for a clause.
    private static readonly HashSet<string> s_words = new(StringComparer.OrdinalIgnoreCase)
    {
        "as", "select", "where", "load", "group", "order", "include", "update", "offset", "limit", "scale", "filter", "filter_limit", "from", "index",
        "true", "false", "null", "not", "and", "or", "between", "in", "all", "declare", "distinct",
    };

    // Words of the language of scripts: no variable can have such a name.
    private static readonly HashSet<string> s_scriptWords = new(StringComparer.Ordinal)
    {
        "abstract", "arguments", "async", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else",
        "enum", "eval", "export", "extends", "finally", "for", "function", "if", "implements", "import", "instanceof", "interface", "let", "new",
        "package", "private", "protected", "public", "return", "static", "super", "switch", "this", "throw", "try", "typeof", "var", "void", "while",
        "with", "yield", "undefined", "NaN", "Infinity", "id", "load", "count", "sum", "key", "counter", "output", "Math", "Date", "JSON", "String",
    };

    /// <summary>Whether a name can stand without quotes as a part of a path.</summary>
    public static bool IsIdentifier(string name)
    {
        if (name.Length == 0 || !(char.IsLetter(name[0]) || name[0] is '_' or '@'))
        {
            return false;
        }

        return name.All(letter => char.IsLetterOrDigit(letter) || letter is '_' or '-' or '@');
    }

    /// <summary>Whether a name means something else to the language when it stands alone.</summary>
    public static bool IsWord(string name) => s_words.Contains(name);

    /// <summary>A text in quotes.</summary>
    public static string Quote(string text) =>
        $"'{text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("'", "\\'", StringComparison.Ordinal)}'";

    /// <summary>A name after <c>as</c>, or in a later part of a path.</summary>
    public static string Name(string name) => IsIdentifier(name) ? name : Quote(name);

    /// <summary>A name that begins a path.</summary>
    public static string FirstName(string name) => IsIdentifier(name) && !IsWord(name) ? name : Quote(name);

    /// <summary>Whether a name can be a variable of a script.</summary>
    public static bool IsVariable(string name) =>
        name.Length > 0 && (char.IsLetter(name[0]) || name[0] == '_') && name.All(letter => char.IsLetterOrDigit(letter) || letter == '_')
        && !s_scriptWords.Contains(name) && !s_words.Contains(name);

    /// <summary>A name for the document in a query and its scripts: the one of the lambda, when the languages allow it.</summary>
    public static string Alias(string? name) => name is null ? "doc" : IsVariable(name) ? name : name.All(IsPlain) && name.Length > 0 ? name + "_" : "doc";

    /// <summary>A member of an object in a script.</summary>
    public static string ScriptMember(string name) =>
        name.Length > 0 && (char.IsLetter(name[0]) || name[0] == '_') && name.All(IsPlain) ? "." + name : $"[{ScriptText(name)}]";

    /// <summary>A name in an object literal of a script.</summary>
    public static string ScriptKey(string name) =>
        name.Length > 0 && (char.IsLetter(name[0]) || name[0] == '_') && name.All(IsPlain) ? name : ScriptText(name);

    /// <summary>A text literal of a script. Everything except letters and common signs is escaped, so that its content can end neither the literal
    /// nor the query around it.</summary>
    public static string ScriptText(string text)
    {
        var literal = new StringBuilder("\"");
        foreach (char letter in text)
        {
            if (letter is '"' or '\\' or '<' or '`' || char.IsControl(letter) || letter is '\u2028' or '\u2029' || char.IsSurrogate(letter))
            {
                literal.Append("\\u").Append(((int)letter).ToString("x4"));
            }
            else
            {
                literal.Append(letter);
            }
        }

        return literal.Append('"').ToString();
    }

    private static bool IsPlain(char letter) => char.IsLetterOrDigit(letter) || letter == '_';
}
