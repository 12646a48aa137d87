namespace Jackdaw.Queries.Language;

/// <summary>Which part of the results is wanted.</summary>
internal sealed partial class QueryParser
{
    private bool TryPaging()
    {
        int start = _scanner.Next;
        if (TryClause(QueryClause.Paging, "filter_limit"))
        {
            _filterLimit = _filterLimit is null
                ? ParseCount()
                : throw _scanner.Fault(start, "there are two 'filter_limit' clauses; keep one of them.");
            return true;
        }

        bool isLimit = TryClause(QueryClause.Paging, "limit");
        if (!isLimit && !TryClause(QueryClause.Paging, "offset"))
        {
            return false;
        }

        if (_hasPaging)
        {
            throw _scanner.Fault(start, "'limit' or 'offset' is given twice; write limit <skip>, <take>.");
        }

        _hasPaging = true;
        if (isLimit)
        {
            ParseLimit();
        }
        else
        {
            _skip = ParseCount();
            _take = _scanner.TryKeyword("limit") ? ParseCount() : null;
        }

        return true;
    }

    // limit take | limit skip, take | limit take offset skip
    private void ParseLimit()
    {
        _take = ParseCount();
        if (_scanner.TrySymbol(","))
        {
            _skip = _take;
            _take = ParseCount();
        }

        int start = _scanner.Next;
        if (_scanner.TryKeyword("offset"))
        {
            _skip = _skip is null ? ParseCount() : throw _scanner.Fault(start, "the start is given twice; keep one of the two.");
        }
    }

    private Expression ParseCount()
    {
        Expression count = ParseOperand();
        return count is ParameterExpression or LiteralExpression { Kind: LiteralKind.Long or LiteralKind.Null }
            ? count
            : throw _scanner.Fault(count.TextPosition, "a whole number or a parameter is expected here.");
    }
}
