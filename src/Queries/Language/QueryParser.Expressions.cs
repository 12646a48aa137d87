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

    // Official servers accept "not" only after "and" and "or"; one at the beginning does no harm.
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
        _compared = left is FieldExpression field ? field.Path : null;
        Expression term = ParseComparison(start, left);
        _compared = null;
        return term;
    }

    private Expression ParseComparison(int start, Expression left)
    {
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

    private ComparisonOperator? TryOperator()
    {
        _scanner.Expect(ExpectedKind.Operator);
        return _scanner.TrySymbol("==") || _scanner.TrySymbol("=") ? ComparisonOperator.Equal
            : _scanner.TrySymbol("!=") || _scanner.TrySymbol("<>") ? ComparisonOperator.NotEqual
            : _scanner.TrySymbol("<=") ? ComparisonOperator.LessOrEqual
            : _scanner.TrySymbol(">=") ? ComparisonOperator.GreaterOrEqual
            : _scanner.TrySymbol("<") ? ComparisonOperator.Less
            : _scanner.TrySymbol(">") ? ComparisonOperator.Greater
            : null;
    }

    // A value, a field or a call.
    private Expression ParseOperand()
    {
        int start = _scanner.Next;
        ExpectOperand();
        if (_scanner.TrySymbol("$"))
        {
            string parameter = _scanner.ReadParameterName();
            _scanner.Record(start, QueryTokenKind.Parameter);
            return new ParameterExpression(start, parameter);
        }

        if (_scanner.TryNumber(out string digits, out bool isDouble))
        {
            return ToNumber(start, digits, isDouble);
        }

        if (_scanner.TryString(out string text))
        {
            return IsPathGoingOn()
                ? ParseField(start, new FieldSegment(text, null, IsQuoted: true))
                : new LiteralExpression(start, LiteralKind.String, text);
        }

        if (!_scanner.TryIdentifier(out string name, QueryTokenKind.Field))
        {
            throw _scanner.Expected("a field, a value or a method");
        }

        FieldExpression field = ParseField(start, new FieldSegment(name, null, IsQuoted: false));
        if (_scanner.Peek == '(')
        {
            return ParseMethod(field.Path);
        }

        if (field.Path.Parts.Count > 1 || ToConstant(name) is not { } constant)
        {
            return field;
        }

        _scanner.Mark(start, QueryTokenKind.Constant);
        return new LiteralExpression(start, constant, "");
    }

    private FieldExpression ParseField(int start, FieldSegment first)
    {
        var field = new FieldExpression(start, ParsePathFrom(start, first));
        _scanner.Record(start, QueryTokenKind.Field);
        return field;
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

        _scanner.Mark(name.TextPosition, QueryTokenKind.Method);
        Enter(name.TextPosition);
        _compared = null;
        _arguments++;
        int open = _scanner.Next;
        _scanner.Require("(");
        Expression method = IsTimeSeries(name)
            ? ParseTimeSeries(name.TextPosition, open)
            : new MethodExpression(name.TextPosition, name.Name, ParseArguments(IsVectorSearch(name)), ParseMember());
        _arguments--;
        _depth--;
        return method;
    }

    private bool IsTimeSeries(FieldPath name) =>
        name.Name.Equals("timeseries", StringComparison.OrdinalIgnoreCase) && _scanner.IsKeyword("from");

    private static bool IsVectorSearch(FieldPath name) => name.Name.Equals("vector.search", StringComparison.OrdinalIgnoreCase);

    private TimeSeriesExpression ParseTimeSeries(int start, int open)
    {
        _scanner.Position = open;
        return new TimeSeriesExpression(start, _scanner.ReadScript("the time-series query").Text[1..^1].Trim());
    }

    private List<MethodArgument> ParseArguments(bool takesLists) =>
        _scanner.TrySymbol(")") ? [] : ParseList(takesLists ? (Func<MethodArgument>)ParseListOrArgument : ParseArgument, close: ")");

    private MethodArgument ParseListOrArgument() =>
        _scanner.Peek == '[' ? new MethodArgument(ParseListItem(), null) : ParseArgument();

    private Expression ParseListItem()
    {
        int start = _scanner.Next;
        if (_scanner.TrySymbol("["))
        {
            Enter(start);
            List<Expression> items = _scanner.TrySymbol("]") ? [] : ParseList(ParseListItem, close: "]");
            _depth--;
            return new ListExpression(start, items);
        }

        return ParseOperand() is LiteralExpression literal ? literal : throw _scanner.Fault(start, "a list has numbers, texts and lists.");
    }

    private MethodArgument ParseArgument()
    {
        int start = _scanner.Next;
        Expression value = _scanner.TrySymbol("*") ? new StarExpression(start) : ParseOr();
        return new MethodArgument(value, TryAlias(allowsBare: false));
    }

    /// <summary>A string where a field is meant: <c>'my field' = $p0</c>, <c>order by 'my field'</c>.</summary>
    private static FieldExpression ToField(LiteralExpression quoted) => new(
        quoted.TextPosition,
        new FieldPath([new FieldSegment(quoted.Text, null, IsQuoted: true)], quoted.TextPosition));

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
                "a condition is expected here: an operator (=, <, in, between ...) is missing after this.");
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
