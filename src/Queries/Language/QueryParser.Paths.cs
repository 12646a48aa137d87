using System.Globalization;

namespace Jackdaw.Queries.Language;

/// <summary>Paths of fields.</summary>
internal sealed partial class QueryParser
{
    // The member of a method's result: .Prop after the parenthesis.
    private FieldPath? ParseMember()
    {
        int start = _scanner.Position;
        if (!IsPathGoingOn())
        {
            return null;
        }

        FieldPath member = ParsePathFrom(start, first: null);
        _scanner.Record(start, QueryTokenKind.Field);
        return member;
    }

    // A dot or bracket belongs to the path only when it follows the name directly.
    private bool IsPathGoingOn() =>
        _scanner.Position < _scanner.Text.Length && _scanner.Text[_scanner.Position] is '.' or '[';

    private FieldPath ParsePathFrom(int start, FieldSegment? first)
    {
        List<FieldSegment> parts = first is { } known ? [known] : [];
        while (IsPathGoingOn())
        {
            if (parts.Count == QueryLimits.PathPartsMax)
            {
                throw _scanner.Fault(start, $"the path has more than {QueryLimits.PathPartsMax} parts.");
            }

            bool isMember = _scanner.Text[_scanner.Position++] == '.';
            parts.Add(isMember ? ParseMemberPart(parts) : ParseBracketPart());
        }

        return new FieldPath(parts, start);
    }

    private FieldSegment ParseMemberPart(List<FieldSegment> before)
    {
        if (_scanner.IsExpecting && before.Count > 0)
        {
            _scanner.Expect(ExpectedKind.Field, new FieldPath(before, _scanner.Position).Name);
        }

        if (_scanner.TryString(out string quoted))
        {
            return new FieldSegment(quoted, null, IsQuoted: true);
        }

        string word = _scanner.ReadPart();
        return word.Length > 0
            ? new FieldSegment(word, null, IsQuoted: false)
            : throw _scanner.Expected("the next part of the path");
    }

    private FieldSegment ParseBracketPart()
    {
        FieldSegment part = _scanner.TrySymbol("]") ? new FieldSegment(null, null, IsQuoted: false)
            : _scanner.TryString(out string key) ? new FieldSegment(key, null, IsQuoted: true)
            : ParsePosition();
        if (!part.IsEach)
        {
            _scanner.Require("]");
        }

        return part;
    }

    private FieldSegment ParsePosition()
    {
        int start = _scanner.Next;
        bool isPosition = _scanner.TryNumber(out string digits, out bool isDouble) && !isDouble;
        int position = 0;
        return isPosition && int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out position)
            ? new FieldSegment(null, position, IsQuoted: false)
            : throw _scanner.Fault(start, "']', a position of 0 or more, or a key in quotes is expected within brackets.");
    }
}
