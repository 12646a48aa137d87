using System.Globalization;

namespace Jackdaw.Queries.Language;

/// <summary>Conditions and operands.</summary>
internal sealed partial class QueryParser
{
    private Expression ParseCondition()
    {
        Expression condition = ParseOr();
        RequireCondition(condition);
        return condition;
    }

    private Expression ParseOr() => ParseChain(isAnd: false, ParseAnd);

    private Expression ParseAnd() => ParseChain(isAnd: true, ParseNegatable);

    private Expression ParseChain(bool isAnd, Func<Expression> parseOne)
    {
        int start = _scanner.Next;
        Expression first = parseOne();
        string word = isAnd ? "and" : "or";
        if (!_scanner.IsKeyword(word))
        {
            return first;
        }

        List<Expression> operands = [first];
        while (_scanner.TryKeyword(word))
        {
            operands.Add(parseOne());
        }

        operands.ForEach(RequireCondition);
        return new LogicalExpression(start, isAnd, operands);
    }

    // Official servers take a "not" only behind "and" and "or"; one at the beginning does no harm.
    private Expression ParseNegatable()
    {
        int start = _scanner.Next;
        if (!IsNegation())
        {
            return ParseTerm();
        }

        _scanner.TryKeyword("not");
        Enter(start);
        Expression operand = ParseNegatable();
        _depth--;
        RequireCondition(operand);
        return new NotExpression(start, operand);
    }

    // A field may be called "not": then an operator follows.
    private bool IsNegation()
    {
        int start = _scanner.Position;
        bool isNegation = _scanner.TryKeyword("not") && _scanner.Peek is not ('=' or '!' or '<' or '>' or '.' or ',' or ')');
        _scanner.Position = start;
        return isNegation;
    }

    private Expression ParseTerm()
    {
        int start = _scanner.Next;
        if (_scanner.TrySymbol("("))
        {
            Enter(start);
            Expression inner = ParseOr();
            _depth--;
            _scanner.Require(")");
            RequireCondition(inner);
            return inner;
        }

        Expression left = ParseOperand();
        if (TryOperator() is { } comparison)
        {
            return new ComparisonExpression(start, RequireLeft(left), comparison, ParseOperand());
        }

        if (_scanner.TryKeyword("between"))
        {
            Expression low = ParseOperand();
            return _scanner.TryKeyword("and")
                ? new BetweenExpression(start, RequireLeft(left), low, ParseOperand())
                : throw _scanner.Expected("'and' and the upper end of 'between'");
        }

        bool isAll = _scanner.TryKeyword("all", "in");
        return isAll || _scanner.TryKeyword("in") ? ParseIn(start, RequireLeft(left), isAll) : left;
    }

    private InExpression ParseIn(int start, Expression left, bool isAll)
    {
        _scanner.Require("(");
        List<Expression> values = _scanner.TrySymbol(")") ? [] : ParseList(ParseOperand, close: ")");
        foreach (Expression value in values)
        {
            if (value is not (LiteralExpression or ParameterExpression))
            {
                throw _scanner.Fault(value.TextPosition, "'in' compares with values and parameters only; put a text in quotes.");
            }
        }

        return new InExpression(start, left, isAll, values);
    }

    private ComparisonOperator? TryOperator() =>
        _scanner.TrySymbol("==") || _scanner.TrySymbol("=") ? ComparisonOperator.Equal
        : _scanner.TrySymbol("!=") || _scanner.TrySymbol("<>") ? ComparisonOperator.NotEqual
        : _scanner.TrySymbol("<=") ? ComparisonOperator.LessOrEqual
        : _scanner.TrySymbol(">=") ? ComparisonOperator.GreaterOrEqual
        : _scanner.TrySymbol("<") ? ComparisonOperator.Less
        : _scanner.TrySymbol(">") ? ComparisonOperator.Greater
        : null;

    // A value, a field or a call.
    private Expression ParseOperand()
    {
        int start = _scanner.Next;
        if (_scanner.TrySymbol("$"))
        {
            return new ParameterExpression(start, _scanner.ReadParameterName());
        }

        if (_scanner.TryNumber(out string digits, out bool isDouble))
        {
            return ToNumber(start, digits, isDouble);
        }

        if (_scanner.TryString(out string text))
        {
            return IsPathGoingOn()
                ? new FieldExpression(start, ParsePathFrom(start, new FieldPart(text, null, IsQuoted: true)))
                : new LiteralExpression(start, LiteralKind.String, text);
        }

        if (!_scanner.TryIdentifier(out string name))
        {
            throw _scanner.Expected("a field, a value or a method");
        }

        bool isWhole = !IsPathGoingOn();
        if (isWhole && _scanner.Peek != '(' && ToConstant(name) is { } constant)
        {
            return new LiteralExpression(start, constant, "");
        }

        FieldPath path = isWhole
            ? new FieldPath([new FieldPart(name, null, IsQuoted: false)], start)
            : ParsePathFrom(start, new FieldPart(name, null, IsQuoted: false));
        return _scanner.Peek == '(' ? ParseMethod(path) : new FieldExpression(start, path);
    }

    private LiteralExpression ToNumber(int start, string digits, bool isDouble)
    {
        bool isLong = !isDouble && long.TryParse(digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out _);
        if (!isLong && !double.IsFinite(double.Parse(digits, CultureInfo.InvariantCulture)))
        {
            throw _scanner.Fault(start, "the number is too large; numbers reach to about 1.8e308.");
        }

        return new LiteralExpression(start, isLong ? LiteralKind.Long : LiteralKind.Double, digits);
    }

    private static LiteralKind? ToConstant(string name) =>
        name.Equals("true", StringComparison.OrdinalIgnoreCase) ? LiteralKind.True
        : name.Equals("false", StringComparison.OrdinalIgnoreCase) ? LiteralKind.False
        : name.Equals("null", StringComparison.OrdinalIgnoreCase) ? LiteralKind.Null
        : null;

    private Expression ParseMethod(FieldPath name)
    {
        if (name.Parts.Any(part => part.Name is null || part.IsQuoted))
        {
            throw _scanner.Fault(name.TextPosition, "the name of a method has no quotes and no brackets.");
        }

        Enter(name.TextPosition);
        int open = _scanner.Next;
        _scanner.Require("(");
        Expression method = IsTimeSeries(name)
            ? ParseTimeSeries(name.TextPosition, open)
            : new MethodExpression(name.TextPosition, name.Name, ParseArguments(), ParseMember());
        _depth--;
        return method;
    }

    private bool IsTimeSeries(FieldPath name) =>
        name.Name.Equals("timeseries", StringComparison.OrdinalIgnoreCase) && _scanner.IsKeyword("from");

    private TimeSeriesExpression ParseTimeSeries(int start, int open)
    {
        _scanner.Position = open;
        return new TimeSeriesExpression(start, _scanner.ReadScript("the time-series query").Text[1..^1].Trim());
    }

    private List<MethodArgument> ParseArguments() =>
        _scanner.TrySymbol(")") ? [] : ParseList(ParseArgument, close: ")");

    private MethodArgument ParseArgument()
    {
        int start = _scanner.Next;
        Expression value = _scanner.TrySymbol("*") ? new StarExpression(start) : ParseOr();
        return new MethodArgument(value, TryAlias(allowsBare: false));
    }

    // What is taken of a method's result: .Prop behind the parenthesis.
    private FieldPath? ParseMember()
    {
        int start = _scanner.Position;
        return IsPathGoingOn() ? ParsePathFrom(start, first: null) : null;
    }

    private FieldPath RequirePath()
    {
        Expression operand = ParseOperand();
        return operand switch
        {
            FieldExpression field => field.Path,
            LiteralExpression { Kind: LiteralKind.String } quoted => ToField(quoted).Path,
            _ => throw _scanner.Fault(operand.TextPosition, "a path of a field is expected here."),
        };
    }

    // Directly behind a name; a dot or bracket further off is none of it.
    private bool IsPathGoingOn() =>
        _scanner.Position < _scanner.Text.Length && _scanner.Text[_scanner.Position] is '.' or '[';

    private FieldPath ParsePathFrom(int start, FieldPart? first)
    {
        List<FieldPart> parts = first is { } known ? [known] : [];
        while (IsPathGoingOn())
        {
            if (parts.Count == QueryLimits.PathPartsMax)
            {
                throw _scanner.Fault(start, $"the path has more than {QueryLimits.PathPartsMax} parts.");
            }

            bool isMember = _scanner.Text[_scanner.Position++] == '.';
            parts.Add(isMember ? ParseMemberPart() : ParseBracketPart());
        }

        return new FieldPath(parts, start);
    }

    private FieldPart ParseMemberPart()
    {
        if (_scanner.TryString(out string quoted))
        {
            return new FieldPart(quoted, null, IsQuoted: true);
        }

        string word = _scanner.ReadWord();
        return word.Length > 0
            ? new FieldPart(word, null, IsQuoted: false)
            : throw _scanner.Expected("the next part of the path");
    }

    private FieldPart ParseBracketPart()
    {
        FieldPart part = _scanner.TrySymbol("]") ? new FieldPart(null, null, IsQuoted: false)
            : _scanner.TryString(out string key) ? new FieldPart(key, null, IsQuoted: true)
            : ParsePosition();
        if (!part.IsEach)
        {
            _scanner.Require("]");
        }

        return part;
    }

    private FieldPart ParsePosition()
    {
        int start = _scanner.Next;
        bool isPosition = _scanner.TryNumber(out string digits, out bool isDouble) && !isDouble;
        int position = 0;
        return isPosition && int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out position)
            ? new FieldPart(null, position, IsQuoted: false)
            : throw _scanner.Fault(start, "']', a position of 0 or more, or a key in quotes is expected within brackets.");
    }

    /// <summary>A string where a field is meant: <c>'my field' = $p0</c>, <c>order by 'my field'</c>.</summary>
    private static FieldExpression ToField(LiteralExpression quoted) => new(
        quoted.TextPosition,
        new FieldPath([new FieldPart(quoted.Text, null, IsQuoted: true)], quoted.TextPosition));

    private Expression RequireLeft(Expression left) => left switch
    {
        LiteralExpression { Kind: LiteralKind.String } quoted => ToField(quoted),
        FieldExpression or MethodExpression => left,
        ParameterExpression => left, // In conditions of when().
        _ => throw _scanner.Fault(left.TextPosition, "a field or a method is expected before an operator."),
    };

    private void RequireCondition(Expression expression)
    {
        if (expression is FieldExpression or ParameterExpression or StarExpression or TimeSeriesExpression
            or LiteralExpression { Kind: not (LiteralKind.True or LiteralKind.False) })
        {
            throw _scanner.Fault(expression.TextPosition,
                "a condition is expected here: an operator (=, <, in, between ...) is missing behind this.");
        }
    }

    private void Enter(int position)
    {
        _depth++;
        if (_depth > QueryLimits.DepthMax)
        {
            throw _scanner.Fault(position, $"more than {QueryLimits.DepthMax} parentheses and methods lie within one another; write it flatter.");
        }
    }
}
