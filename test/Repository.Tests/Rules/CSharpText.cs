using System.Text;

namespace Jackdaw.Repository.Tests.Rules;

/// <summary>C# text split into what is code and what is comment, so that a rule about calls isn't misled by a sentence
/// about them.</summary>
/// <remarks>
/// Both parts are as long as the input and keep its newlines: an index into one is an index into the other. Contents
/// of strings, characters and
/// preprocessor lines are blank in both; expressions inside interpolated strings stay code, their braces don't (so
/// braces of the code balance).
/// A parser would do this better, and would be a dependency of every test run; this covers the language as far as
/// braces and words go.
/// </remarks>
public sealed class CSharpText
{
    private readonly string _text;
    private readonly StringBuilder _code;
    private readonly StringBuilder _comments;
    private int _position;

    private CSharpText(string text)
    {
        _text = text;
        string blank = string.Concat(text.Select(c => c == '\n' ? '\n' : ' '));
        _code = new StringBuilder(blank);
        _comments = new StringBuilder(blank);
    }

    public string Code => _code.ToString();

    public string Comments => _comments.ToString();

    public static CSharpText Split(string text)
    {
        var split = new CSharpText(text);
        split.ReadCode(insideHole: false);
        return split;
    }

    private char Peek(int ahead = 0) => _position + ahead < _text.Length ? _text[_position + ahead] : '\0';

    private bool Ended => _position >= _text.Length;

    private void ReadCode(bool insideHole)
    {
        int depth = 0;
        while (!Ended)
        {
            char c = Peek();
            if (c == '/' && Peek(1) is '/' or '*')
            {
                ReadComment();
            }
            else if (c == '#' && AtLineStart())
            {
                SkipLine();
            }
            else if (c == '\'')
            {
                ReadCharacter();
            }
            else if (c is '"' or '$' or '@')
            {
                ReadString();
            }
            else if (insideHole && depth == 0 && c == '}')
            {
                return;
            }
            else
            {
                depth += c switch { '{' or '(' or '[' => 1, '}' or ')' or ']' => -1, _ => 0 };
                _code[_position++] = c;
            }
        }
    }

    private bool AtLineStart()
    {
        int i = _position - 1;
        while (i >= 0 && _text[i] is ' ' or '\t')
        {
            i--;
        }

        return i < 0 || _text[i] == '\n';
    }

    private void SkipLine()
    {
        while (!Ended && Peek() != '\n')
        {
            _position++;
        }
    }

    private void ReadComment()
    {
        bool block = Peek(1) == '*';
        int end = block ? _text.IndexOf("*/", _position + 2, StringComparison.Ordinal) : _text.IndexOf('\n', _position);
        end = end < 0 ? _text.Length : block ? end + 2 : end;
        for (; _position < end; _position++)
        {
            _comments[_position] = _text[_position];
        }
    }

    private void ReadCharacter()
    {
        _position++;
        while (!Ended && Peek() is not '\'' and not '\n')
        {
            _position += Peek() == '\\' ? 2 : 1;
        }

        _position++;
    }

    /// <summary>Reads a string of any kind, with the cursor at its first `$`, `@` or quote; a `@name` is not a string
    /// and stays code.</summary>
    private void ReadString()
    {
        int start = _position;
        bool interpolated = false;
        bool verbatim = false;
        for (; Peek() is '$' or '@'; _position++)
        {
            interpolated |= Peek() == '$';
            verbatim |= Peek() == '@';
        }

        if (Peek() != '"')
        {
            _position = start;
            _code[_position++] = _text[start];
            return;
        }

        int quotes = 0;
        while (Peek(quotes) == '"')
        {
            quotes++;
        }

        if (!verbatim && quotes >= 3)
        {
            ReadRawString(quotes);
            return;
        }

        _position++;
        ReadPlainString(verbatim, interpolated);
    }

    private void ReadRawString(int quotes)
    {
        // Expressions inside raw strings stay blank: their closing quotes are what matters here.
        int end = _text.IndexOf(new string('"', quotes), _position + quotes, StringComparison.Ordinal);
        _position = end < 0 ? _text.Length : end + quotes;
        while (Peek() == '"')
        {
            _position++;
        }
    }

    private void ReadPlainString(bool verbatim, bool interpolated)
    {
        while (!Ended)
        {
            char c = Peek();
            if (c == '\\' && !verbatim)
            {
                _position += 2;
            }
            else if (c == '"' && verbatim && Peek(1) == '"')
            {
                _position += 2;
            }
            else if (c == '"' || (c == '\n' && !verbatim && !interpolated))
            {
                _position++;
                return;
            }
            else if (c == '{' && interpolated && Peek(1) == '{')
            {
                _position += 2;
            }
            else if (c == '{' && interpolated)
            {
                _position++;
                ReadCode(insideHole: true);
                _position++;
            }
            else
            {
                _position++;
            }
        }
    }
}
