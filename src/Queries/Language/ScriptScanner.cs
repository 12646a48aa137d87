namespace Jackdaw.Queries.Language;

/// <summary>Finds the end of a script within a query, which is the bracket that closes its first one.</summary>
/// <remarks>The scanner knows the parts of JavaScript that can hide a bracket: strings, templates, comments and regular expressions. The
/// engine of scripts decides whether the text is JavaScript. There is no recursion: nesting costs a list of brackets.</remarks>
internal static class ScriptScanner
{
    // After these words a slash begins a regular expression; after any other word it divides.
    private static readonly string[] s_wordsBeforeExpression =
        ["return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "instanceof"];

    /// <summary>The offset after the bracket that closes the one at a given offset; -1 when there is none.</summary>
    public static int FindEnd(string text, int open)
    {
        var expected = new Stack<char>();
        bool isAfterValue = false;
        for (int at = open; at < text.Length;)
        {
            char current = text[at];
            if (Opens(current) is { } close)
            {
                expected.Push(close);
                at++;
                isAfterValue = false;
            }
            else if (current is ')' or ']' or '}')
            {
                if (!TryClose(text, ref at, current, expected))
                {
                    return -1;
                }

                if (expected.Count == 0)
                {
                    return at;
                }

                isAfterValue = current != '}';
            }
            else
            {
                at = Pass(text, at, expected, ref isAfterValue);
            }
        }

        return -1;
    }

    private static char? Opens(char bracket) => bracket switch { '(' => ')', '[' => ']', '{' => '}', _ => null };

    // After the brace that ends a placeholder, the template goes on.
    private static bool TryClose(string text, ref int at, char bracket, Stack<char> expected)
    {
        at++;
        char wanted = expected.Pop();
        if (wanted != '`')
        {
            return wanted == bracket;
        }

        at = PassTemplate(text, at, expected);
        return bracket == '}';
    }

    private static int Pass(string text, int at, Stack<char> expected, ref bool isAfterValue)
    {
        char current = text[at];
        switch (current)
        {
            case '\'' or '"':
                isAfterValue = true;
                return PassQuoted(text, at + 1, current);
            case '`':
                isAfterValue = true;
                return PassTemplate(text, at + 1, expected);
            case '/' when text.AsSpan(at).StartsWith("//"):
                return EndOf(text, text.IndexOf('\n', at));
            case '/' when text.AsSpan(at).StartsWith("/*"):
                int end = text.IndexOf("*/", at + 2, StringComparison.Ordinal);
                return end < 0 ? text.Length : end + 2;
            case '/' when !isAfterValue:
                isAfterValue = true;
                return PassPattern(text, at + 1);
            default:
                return PassPlain(text, at, ref isAfterValue);
        }
    }

    private static int PassPlain(string text, int at, ref bool isAfterValue)
    {
        int start = at;
        while (at < text.Length && (char.IsLetterOrDigit(text[at]) || text[at] is '_' or '$'))
        {
            at++;
        }

        if (at > start)
        {
            isAfterValue = !s_wordsBeforeExpression.AsSpan().Contains(text[start..at]);
            return at;
        }

        isAfterValue = char.IsWhiteSpace(text[at]) && isAfterValue;
        return at + 1;
    }

    private static int PassQuoted(string text, int at, char quote)
    {
        for (; at < text.Length; at++)
        {
            if (text[at] == '\\')
            {
                at++;
            }
            else if (text[at] == quote)
            {
                return at + 1;
            }
        }

        return text.Length;
    }

    // Moves to the end of a template, or into its next placeholder.
    private static int PassTemplate(string text, int at, Stack<char> expected)
    {
        for (; at < text.Length; at++)
        {
            if (text[at] == '\\')
            {
                at++;
            }
            else if (text[at] == '`')
            {
                return at + 1;
            }
            else if (text.AsSpan(at).StartsWith("${"))
            {
                expected.Push('`');
                return at + 2;
            }
        }

        return text.Length;
    }

    // A slash within a class does not end a regular expression; after a line break it was not one.
    private static int PassPattern(string text, int at)
    {
        int start = at;
        bool isInClass = false;
        for (; at < text.Length && text[at] != '\n'; at++)
        {
            switch (text[at])
            {
                case '\\':
                    at++;
                    break;
                case '[':
                    isInClass = true;
                    break;
                case ']':
                    isInClass = false;
                    break;
                case '/' when !isInClass:
                    return at + 1;
            }
        }

        return start;
    }

    private static int EndOf(string text, int found) => found < 0 ? text.Length : found;
}
