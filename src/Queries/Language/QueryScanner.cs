using System.Globalization;
using System.Text;

namespace Jackdaw.Queries.Language;

/// <summary>The characters of a query as the parser asks for them: words, strings, numbers, symbols.</summary>
/// <remarks>There is no list of tokens, because the meaning of a character depends on what is expected (<c>.5</c> after a path is a
/// member). Each method skips whitespace and comments first, and moves on only when it finds what it looks for.</remarks>
/// <param name="text">The query.</param>
internal sealed class QueryScanner(string text)
{
    /// <summary>The most characters of the text that an error repeats.</summary>
    private const int FoundCharactersMax = 40;

    public string Text => text;

    /// <summary>The offset of the next character that is read.</summary>
    public int Position { get; set; }

    /// <summary>The offset of the next character that is neither whitespace nor part of a comment.</summary>
    public int Next
    {
        get
        {
            SkipBlank();
            return Position;
        }
    }

    public bool IsAtEnd => Next >= text.Length;

    /// <summary>The next character; NUL at the end.</summary>
    public char Peek => At(Next);

    /// <summary>A mistake at the next position; the message says what stands there.</summary>
    public InvalidQueryException Expected(string what)
    {
        SkipBlank();
        return InvalidQueryException.At(text, Position, $"found {DescribeFound()} where {what} is expected.");
    }

    public InvalidQueryException Fault(int position, string message) =>
        InvalidQueryException.At(text, position, message);

    public bool TrySymbol(string symbol)
    {
        SkipBlank();
        bool isThere = text.AsSpan(Position).StartsWith(symbol);
        Position += isThere ? symbol.Length : 0;
        return isThere;
    }

    public void Require(string symbol)
    {
        if (!TrySymbol(symbol))
        {
            throw Expected($"'{symbol}'");
        }
    }

    /// <summary>One or several words, in any casing, with any whitespace between them, and not followed by a letter.</summary>
    public bool TryKeyword(params ReadOnlySpan<string> words)
    {
        int start = Position;
        foreach (string word in words)
        {
            SkipBlank();
            bool isThere = text.AsSpan(Position).StartsWith(word, StringComparison.OrdinalIgnoreCase)
                && !IsWordCharacter(At(Position + word.Length));
            if (!isThere)
            {
                Position = start;
                return false;
            }

            Position += word.Length;
        }

        return true;
    }

    /// <summary>Whether a keyword follows.</summary>
    public bool IsKeyword(params ReadOnlySpan<string> words)
    {
        int start = Position;
        bool isThere = TryKeyword(words);
        Position = start;
        return isThere;
    }

    /// <summary>A name that begins with a letter, <c>_</c> or <c>@</c>.</summary>
    public bool TryIdentifier(out string name)
    {
        SkipBlank();
        name = char.IsLetter(At(Position)) || At(Position) is '_' or '@' ? ReadWord() : "";
        return name.Length > 0;
    }

    /// <summary>A name as a later part of a path, which may begin with a digit, or with a dollar sign (<c>Attributes.$Values</c>).</summary>
    public string ReadPart()
    {
        int start = Position;
        Position += At(start) == '$' ? 1 : 0;
        ReadWord();
        return text[start..Position];
    }

    /// <summary>The rest of a word.</summary>
    public string ReadWord()
    {
        int end = Position;
        while (IsWordCharacter(At(end)) || At(end) is '-' or '@')
        {
            end++;
        }

        string word = text[Position..end];
        Position = end;
        return word;
    }

    /// <summary>A name of a parameter, after its dollar sign.</summary>
    public string ReadParameterName()
    {
        int end = Position;
        while (IsWordCharacter(At(end)))
        {
            end++;
        }

        string name = text[Position..end];
        Position = end;
        return name.Length > 0 ? name : throw Expected("the name of a parameter");
    }

    /// <summary>A string in either kind of quotes.</summary>
    public bool TryString(out string value)
    {
        SkipBlank();
        char quote = At(Position);
        value = "";
        if (quote is not ('\'' or '"'))
        {
            return false;
        }

        int start = Position++;
        var characters = new StringBuilder();
        while (true)
        {
            int plain = text.AsSpan(Position).IndexOfAny(quote, '\\');
            if (plain < 0)
            {
                throw Fault(start, $"the string that begins here has no end; add {quote} after it.");
            }

            characters.Append(text, Position, plain);
            Position += plain + 1;
            if (text[Position - 1] == '\\')
            {
                characters.Append(ReadEscape());
            }
            else if (At(Position) == quote)
            {
                characters.Append(quote);
                Position++;
            }
            else
            {
                value = characters.ToString();
                return true;
            }
        }
    }

    /// <summary>A number: its digits without separators.</summary>
    public bool TryNumber(out string digits, out bool isDouble)
    {
        SkipBlank();
        (digits, isDouble) = ("", false);
        int end = Position + (At(Position) == '-' ? 1 : 0);
        if (!char.IsAsciiDigit(At(end)))
        {
            return false;
        }

        end = PassDigits(end);
        if (At(end) == '.' && char.IsAsciiDigit(At(end + 1)))
        {
            (end, isDouble) = (PassDigits(end + 1), true);
        }

        int exponent = end + 1 + (At(end + 1) is '+' or '-' ? 1 : 0);
        if (At(end) is 'e' or 'E' && char.IsAsciiDigit(At(exponent)))
        {
            (end, isDouble) = (PassDigits(exponent), true);
        }

        if (IsWordCharacter(At(end)))
        {
            throw Fault(Position, "a number ends with a letter; put a name that begins with a digit in quotes.");
        }

        digits = text[Position..end].Replace("_", "", StringComparison.Ordinal);
        Position = end;
        return true;
    }

    /// <summary>From a bracket to the one that closes it.</summary>
    public QueryScript ReadScript(string what)
    {
        SkipBlank();
        int start = Position;
        int end = ScriptScanner.FindEnd(text, start);
        if (end < 0)
        {
            throw Fault(start, $"{what} that begins here has no end; close its brackets and strings.");
        }

        Position = end;
        return new QueryScript(text[start..end], start);
    }

    private char At(int position) => position < text.Length ? text[position] : '\0';

    private static bool IsWordCharacter(char character) => char.IsLetterOrDigit(character) || character == '_';

    private int PassDigits(int at)
    {
        while (char.IsAsciiDigit(At(at)) || At(at) == '_')
        {
            at++;
        }

        return at;
    }

    private void SkipBlank()
    {
        while (Position < text.Length)
        {
            ReadOnlySpan<char> rest = text.AsSpan(Position);
            if (char.IsWhiteSpace(rest[0]))
            {
                Position++;
            }
            else if (rest.StartsWith("//"))
            {
                int end = rest.IndexOf('\n');
                Position += end < 0 ? rest.Length : end + 1;
            }
            else if (rest.StartsWith("/*"))
            {
                int end = rest[2..].IndexOf("*/");
                Position += end >= 0 ? end + 4 : throw Fault(
                    Position, "the comment that begins here has no end; add */ after it.");
            }
            else
            {
                return;
            }
        }
    }

    private char ReadEscape()
    {
        char escaped = At(Position++);
        return escaped switch
        {
            '\'' or '"' or '\\' => escaped,
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\f',
            'b' => '\b',
            'u' when Position + 4 <= text.Length && ushort.TryParse(
                text.AsSpan(Position, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ushort code) =>
                ReadUnicode(code),
            _ => throw Fault(Position - 2, "the string has an unknown escape; write a backslash as \\\\."),
        };
    }

    private char ReadUnicode(ushort code)
    {
        Position += 4;
        return (char)code;
    }

    private string DescribeFound()
    {
        if (Position >= text.Length)
        {
            return "the end of the query";
        }

        int end = Position + 1;
        if (IsWordCharacter(text[Position]) || text[Position] is '@' or '$')
        {
            while (IsWordCharacter(At(end)) && end - Position < FoundCharactersMax)
            {
                end++;
            }
        }

        return $"'{text[Position..end]}'";
    }
}
