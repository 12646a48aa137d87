namespace Jackdaw.Queries.Language;

/// <summary>What an editor may offer where an operand is expected.</summary>
internal sealed partial class QueryParser
{
    private static readonly string[] s_constants = ["true", "false", "null"];

    private void ExpectOperand()
    {
        if (!_scanner.IsExpecting)
        {
            return;
        }

        _scanner.Expect(ExpectedKind.Parameter);
        if (_compared is not null)
        {
            _scanner.Expect(ExpectedKind.Value, _compared.Name);
            ExpectMethods(QueryClause.Value);
            ExpectConstants();
        }
        else if (_clause != QueryClause.Paging)
        {
            _scanner.Expect(ExpectedKind.Field);
            ExpectMethods(_arguments > 0 ? QueryClause.Argument | _clause : _clause);
        }
    }

    private void ExpectMethods(QueryClause clause)
    {
        foreach (string name in QueryMethods.NamesIn(clause))
        {
            _scanner.Expect(ExpectedKind.Method, name);
        }

        if (clause == QueryClause.Select)
        {
            _functions.ForEach(function => _scanner.Expect(ExpectedKind.Method, function.Name));
        }
    }

    private void ExpectConstants()
    {
        foreach (string constant in s_constants)
        {
            _scanner.Expect(ExpectedKind.Constant, constant);
        }
    }
}
