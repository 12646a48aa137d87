using System.Text.RegularExpressions;

namespace Jackdaw.Repository.Tests.Rules;

/// <summary>A type as declared: name without type parameters, line from 1, whether it is public and whether it stands
/// inside another type.</summary>
public sealed record DeclaredType(string Name, int Line, bool IsPublic, bool IsNested);

/// <summary>A member with a body: lines between its braces, or from its arrow to its semicolon.</summary>
public sealed record DeclaredMethod(string Name, int Line, int BodyLines);

/// <summary>The types and the bodies of a C# file, found by braces, semicolons and the words before them.</summary>
/// <remarks>Works on <see cref="CSharpText.Code"/>. Local functions and lambdas count to the member they stand
/// in.</remarks>
public sealed partial class CSharpOutline
{
    private readonly string _code;
    private readonly List<DeclaredType> _types = [];
    private readonly List<DeclaredMethod> _methods = [];
    private int _position;

    private CSharpOutline(string code) => _code = code;

    public IReadOnlyList<DeclaredType> Types => _types;

    public IReadOnlyList<DeclaredMethod> Methods => _methods;

    public static CSharpOutline Read(string code)
    {
        var outline = new CSharpOutline(code);
        while (outline._position < code.Length)
        {
            outline.ReadMembers(typeDepth: 0);
        }

        if (outline._types.Count == 0 && TopLevelCode().IsMatch(code))
        {
            outline._methods.Add(new DeclaredMethod("top-level statements", 1, code.Count(c => c == '\n')));
        }

        return outline;
    }

    /// <summary>Reads the members of a file, namespace (depth 0) or type up to its closing brace, and steps over that
    /// brace.</summary>
    private void ReadMembers(int typeDepth)
    {
        var header = new Header(_position);
        int depth = 0;
        for (; _position < _code.Length; _position++)
        {
            char c = _code[_position];
            if (c == '(' && depth == 0)
            {
                header.HasParenthesis = true;
            }

            depth += c switch { '(' or '[' => 1, ')' or ']' => -1, _ => 0 };
            if (depth > 0)
            {
                continue;
            }

            if (c == '}')
            {
                _position++;
                return;
            }

            if (c == '=' && !header.IsOperator(_code, _position))
            {
                header.Assignment ??= _position;
            }
            else if (c == ';')
            {
                EndStatement(header, typeDepth);
                header = new Header(_position + 1);
            }
            else if (c == '{')
            {
                header = OpenBrace(header, typeDepth);
            }
        }
    }

    private void EndStatement(Header header, int typeDepth)
    {
        string text = header.Text(_code, _position);
        if (TypeHeader().Match(text) is { Success: true } type)
        {
            AddType(type, header, typeDepth);
        }
        else if (typeDepth > 0 && header.Assignment is { } at && at + 1 < _code.Length && _code[at + 1] == '>')
        {
            _methods.Add(new DeclaredMethod(MemberName(text), LineOf(at), LineOf(_position) - LineOf(at) + 1));
        }
    }

    /// <summary>Handles the brace at the cursor and leaves the cursor on the last character that belongs to
    /// it.</summary>
    private Header OpenBrace(Header header, int typeDepth)
    {
        string text = header.Text(_code, _position);
        if (header.Assignment is not null)
        {
            SkipBraces();
            return header;
        }

        if (TypeHeader().Match(text) is { Success: true } type)
        {
            AddType(type, header, typeDepth);
            if (type.Groups["kind"].Value == "enum")
            {
                SkipBraces();
            }
            else
            {
                _position++;
                ReadMembers(typeDepth + 1);
                _position--;
            }
        }
        else if (ContainerHeader().IsMatch(text))
        {
            _position++;
            ReadMembers(text.TrimStart().StartsWith("extension", StringComparison.Ordinal) ? typeDepth : 0);
            _position--;
        }
        else if (typeDepth > 0 && !header.HasParenthesis && AccessorStart().IsMatch(_code.AsSpan(_position)))
        {
            // A property, indexer or event: its accessors are read as members.
            _position++;
            ReadMembers(typeDepth);
            _position--;
        }
        else
        {
            int open = _position;
            SkipBraces();
            if (typeDepth > 0)
            {
                int bodyLines = Math.Max(0, LineOf(_position) - LineOf(open) - 1);
                _methods.Add(new DeclaredMethod(MemberName(text), LineOf(open), bodyLines));
            }
        }

        return new Header(_position + 1);
    }

    private void AddType(Match type, Header header, int typeDepth)
    {
        bool isPublic = PublicWord().IsMatch(type.Groups["modifiers"].Value);
        _types.Add(new DeclaredType(type.Groups["name"].Value, LineOf(header.FirstWord(_code)), isPublic,
            typeDepth > 0));
    }

    private void SkipBraces()
    {
        int depth = 0;
        for (; _position < _code.Length; _position++)
        {
            depth += _code[_position] switch { '{' => 1, '}' => -1, _ => 0 };
            if (depth == 0)
            {
                return;
            }
        }

        _position = _code.Length - 1;
    }

    private int LineOf(int position) => 1 + _code.AsSpan(0, Math.Min(position, _code.Length)).Count('\n');

    private static string MemberName(string header)
    {
        Match name = NameBeforeParenthesis().Match(header);
        return name.Success ? name.Groups[1].Value : LastWord().Match(header).Value;
    }

    [GeneratedRegex(@"^\s*(?<modifiers>((public|internal|private|protected|file|static|abstract|sealed|partial|readonly|ref|unsafe|new)\s+)*)" +
        @"(?<kind>class|struct|interface|enum|record\s+struct|record\s+class|record|delegate\s+[\w<>\[\]*,?.\s]+?)\s+(?<name>\w+)\s*(<|\(|:|\{|where\b|$)")]
    private static partial Regex TypeHeader();

    [GeneratedRegex(@"^\s*(namespace\s|extension\s*[<(])")]
    private static partial Regex ContainerHeader();

    [GeneratedRegex(@"^\{\s*((\[[^\]]*\]|private|protected|internal|readonly)\s*)*(get|set|init|add|remove)\b")]
    private static partial Regex AccessorStart();

    [GeneratedRegex(@"\bpublic\b")]
    private static partial Regex PublicWord();

    [GeneratedRegex(@"(\w+)\s*(<[^()]*>)?\s*\(")]
    private static partial Regex NameBeforeParenthesis();

    [GeneratedRegex(@"\w+(?=\W*$)")]
    private static partial Regex LastWord();

    [GeneratedRegex(@"^\s*(await |return |var |using var |while|for|if)", RegexOptions.Multiline)]
    private static partial Regex TopLevelCode();

    /// <summary>The words before a brace or semicolon, from the end of the member before.</summary>
    private sealed class Header(int start)
    {
        public bool HasParenthesis { get; set; }

        /// <summary>Where an initializer or an expression body starts.</summary>
        public int? Assignment { get; set; }

        public string Text(string code, int end) => code[Math.Min(FirstWord(code), end)..end];

        /// <summary>Position of the first character after the attributes.</summary>
        public int FirstWord(string code)
        {
            int i = start;
            while (i < code.Length && (char.IsWhiteSpace(code[i]) || code[i] == '['))
            {
                if (code[i] == '[')
                {
                    for (int depth = 0; i < code.Length; i++)
                    {
                        depth += code[i] switch { '[' => 1, ']' => -1, _ => 0 };
                        if (depth == 0)
                        {
                            break;
                        }
                    }
                }

                i++;
            }

            return i;
        }

        /// <summary>Whether the equals sign is part of the name of an operator (`operator ==`) and not an
        /// initializer.</summary>
        public bool IsOperator(string code, int position) =>
            !HasParenthesis && code[start..position].Contains("operator", StringComparison.Ordinal);
    }
}
