using System.Globalization;
using System.Text;

namespace Jackdaw.Queries.Language;

/// <summary>The characters of a query as the parser asks for them: words, strings, numbers, symbols.</summary>
/// <remarks>There is no list of tokens, because the meaning of a character depends on what is expected (<c>.5</c> after a path is a
/// member). Each method skips whitespace and comments first, and moves on only when it finds what it looks for.</remarks>
/// <param name="text">The query.</param>
/// <param name="recorder">Collects tokens and expectations for an editor; null otherwise.</param>
internal sealed class QueryScanner(string text, QueryRecorder? recorder = null)
{
    /// <summary>The most characters of the text that an error repeats.</summary>
    private const int FoundCharactersMax = 40;

    private int _position;

    public string Text => text;

    public QueryRecorder? Recorder => recorder;

    /// <summary>The offset of the next character that is read. A parser sets it back to read the text in another way.</summary>
    public int Position
    {
        get => _position;
        set
        {
            _position = value;
            recorder?.ForgetFrom(value);
        }
    }

    /// <summary>The offset of the next character that is neither whitespace nor part of a comment.</summary>
    public int Next
    {
        get
        {
            SkipBlank();
            return _position;
        }
    }

    public bool IsAtEnd => Next >= text.Length;

    /// <summary>The next character; NUL at the end.</summary>
    public char Peek => At(Next);

    /// <summary>A mistake at the next position; the message says what stands there.</summary>
    public InvalidQueryException Expected(string what)
    {
        SkipBlank();
        return InvalidQueryException.At(text, _position, $"found {DescribeFound()} where {what} is expected.");
    }

    public InvalidQueryException Fault(int position, string message) =>
        InvalidQueryException.At(text, position, message);

    public bool TrySymbol(string symbol)
    {
        SkipBlank();
        return text.AsSpan(_position).StartsWith(symbol) && Pass(_position + symbol.Length, QueryTokenKind.Symbol);
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
        int start = _position;
        for (int i = 0; i < words.Length; i++)
        {
            SkipBlank();
            string word = words[i];
            bool isThere = text.AsSpan(_position).StartsWith(word, StringComparison.OrdinalIgnoreCase)
                && !IsWordCharacter(At(_position + word.Length));
            if (!isThere)
            {
                if (IsExpecting)
                {
                    Expect(ExpectedKind.Keyword, string.Join(' ', words[i..]!));
                }

                Position = start;
                return false;
            }

            Pass(_position + word.Length, QueryTokenKind.Keyword);
        }

        return true;
    }

    /// <summary>Whether a keyword follows.</summary>
    public bool IsKeyword(params ReadOnlySpan<string> words)
    {
        int start = _position;
        bool isThere = TryKeyword(words);
        Position = start;
        return isThere;
    }

    /// <summary>A name that begins with a letter, <c>_</c> or <c>@</c>.</summary>
    public bool TryIdentifier(out string name, QueryTokenKind kind)
    {
        SkipBlank();
        int start = _position;
        name = char.IsLetter(At(start)) || At(start) is '_' or '@' ? ReadWord() : "";
        return name.Length > 0 && Record(start, kind);
    }

    /// <summary>A name as a later part of a path, which may begin with a digit, or with a dollar sign (<c>Attributes.$Values</c>).</summary>
    public string ReadPart()
    {
        int start = _position;
        _position += At(start) == '$' ? 1 : 0;
        ReadWord();
        return text[start.._position];
    }

    /// <summary>The rest of a word.</summary>
    public string ReadWord()
    {
        int end = _position;
        while (IsInName(At(end)))
        {
            end++;
        }

        string word = text[_position..end];
        _position = end;
        return word;
    }

    /// <summary>A name of a parameter, after its dollar sign.</summary>
    public string ReadParameterName()
    {
        int end = _position;
        while (IsWordCharacter(At(end)))
        {
            end++;
        }

        string name = text[_position..end];
        Expect(ExpectedKind.Parameter);
        Position = end;
        return name.Length > 0 ? name : throw Expected("the name of a parameter");
    }

    /// <summary>A string in either kind of quotes.</summary>
    public bool TryString(out string value)
    {
        SkipBlank();
        char quote = At(_position);
        value = "";
        if (quote is not ('\'' or '"'))
        {
            return false;
        }

        int start = _position++;
        var characters = new StringBuilder();
        while (true)
        {
            int plain = text.AsSpan(_position).IndexOfAny(quote, '\\');
            if (plain < 0)
            {
                recorder?.ReachesEnd(start, isText: true);
                throw Fault(start, $"the string that begins here has no end; add {quote} after it.");
            }

            characters.Append(text, _position, plain);
            _position += plain + 1;
            if (text[_position - 1] == '\\')
            {
                characters.Append(ReadEscape());
            }
            else if (At(_position) == quote)
            {
                characters.Append(quote);
                _position++;
            }
            else
            {
                value = characters.ToString();
                return Record(start, QueryTokenKind.Text);
            }
        }
    }

    /// <summary>A number: its digits without separators.</summary>
    public bool TryNumber(out string digits, out bool isDouble)
    {
        SkipBlank();
        (digits, isDouble) = ("", false);
        int end = _position + (At(_position) == '-' ? 1 : 0);
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
            throw Fault(_position, "a number ends with a letter; put a name that begins with a digit in quotes.");
        }

        digits = text[_position..end].Replace("_", "", StringComparison.Ordinal);
        return Pass(end, QueryTokenKind.Number);
    }

    /// <summary>From a bracket to the one that closes it.</summary>
    public QueryScript ReadScript(string what)
    {
        SkipBlank();
        int start = _position;
        int end = ScriptScanner.FindEnd(text, start);
        if (end < 0)
        {
            recorder?.ReachesEnd(start, isText: false);
            throw Fault(start, $"{what} that begins here has no end; close its brackets and strings.");
        }

        Pass(end, QueryTokenKind.Script);
        return new QueryScript(text[start..end], start);
    }

    /// <summary>Whether somebody edits the query and wants to know what may stand here, because the text ends here.</summary>
    public bool IsExpecting => recorder is not null && Next == text.Length;

    /// <summary>Says what may stand here, if somebody wants to know it.</summary>
    public void Expect(ExpectedKind kind, string word = "")
    {
        if (IsExpecting)
        {
            recorder!.Expect(kind, word);
        }
    }

    /// <summary>Says what the text between an offset and this position is as a whole.</summary>
    /// <returns>True, for conditions.</returns>
    public bool Record(int start, QueryTokenKind kind)
    {
        recorder?.ForgetFrom(start);
        recorder?.Add(start, _position, kind);
        return true;
    }

    /// <summary>Changes the kind of the token that begins at an offset.</summary>
    public void Mark(int start, QueryTokenKind kind) => recorder?.Mark(start, kind);

    private bool Pass(int end, QueryTokenKind kind)
    {
        recorder?.Add(_position, end, kind);
        _position = end;
        return true;
    }

    private char At(int position) => position < text.Length ? text[position] : '\0';

    /// <summary>Whether a character can be within a name.</summary>
    public static bool IsInName(char character) => IsWordCharacter(character) || character is '-' or '@';

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
        while (_position < text.Length)
        {
            ReadOnlySpan<char> rest = text.AsSpan(_position);
            if (char.IsWhiteSpace(rest[0]))
            {
                _position++;
            }
            else if (rest.StartsWith("//"))
            {
                int end = rest.IndexOf('\n');
                PassComment(end < 0 ? text.Length : _position + end + 1, hasEnd: end >= 0);
            }
            else if (rest.StartsWith("/*"))
            {
                int end = rest[2..].IndexOf("*/");
                PassComment(end < 0 ? text.Length : _position + end + 4, hasEnd: end >= 0);
                if (end < 0)
                {
                    throw Fault(text.Length - rest.Length, "the comment that begins here has no end; add */ after it.");
                }
            }
            else
            {
                return;
            }
        }
    }

    private void PassComment(int end, bool hasEnd)
    {
        if (!hasEnd)
        {
            recorder?.ReachesEnd(_position, isText: false);
        }

        Pass(end, QueryTokenKind.Comment);
    }

    private char ReadEscape()
    {
        char escaped = At(_position++);
        return escaped switch
        {
            '\'' or '"' or '\\' => escaped,
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\f',
            'b' => '\b',
            'u' when _position + 4 <= text.Length && ushort.TryParse(
                text.AsSpan(_position, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ushort code) =>
                ReadUnicode(code),
            _ => throw Fault(_position - 2, "the string has an unknown escape; write a backslash as \\\\."),
        };
    }

    private char ReadUnicode(ushort code)
    {
        _position += 4;
        return (char)code;
    }

    private string DescribeFound()
    {
        if (_position >= text.Length)
        {
            return "the end of the query";
        }

        int end = _position + 1;
        if (IsWordCharacter(text[_position]) || text[_position] is '@' or '$')
        {
            while (IsWordCharacter(At(end)) && end - _position < FoundCharactersMax)
            {
                end++;
            }
        }

        return $"'{text[_position..end]}'";
    }
}
