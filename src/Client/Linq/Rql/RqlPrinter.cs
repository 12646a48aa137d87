using System.Text;
using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Linq.Rql;

/// <summary>Writes a query. Values of the user are parameters, numbered in the order in which they occur in the text.</summary>
internal sealed class RqlPrinter
{
    private readonly StringBuilder _text = new();
    private readonly Dictionary<string, object?> _parameters = new(StringComparer.Ordinal);
    private readonly List<ValueOrigin?> _origins = [];

    private RqlPrinter()
    {
    }

    /// <returns>The text, and the origins of the parameters in the order of their numbers.</returns>
    public static (string Text, IReadOnlyDictionary<string, object?> Parameters, IReadOnlyList<ValueOrigin?> Origins) Print(RqlQuery query)
    {
        var printer = new RqlPrinter();
        printer.WriteQuery(query);
        return (printer._text.ToString(), printer._parameters, printer._origins);
    }

    /// <summary>Name of a parameter.</summary>
    public static string NameOf(int number) => $"p{number}";

    private void WriteQuery(RqlQuery query)
    {
        string variables = string.Join(", ", query.Loads.Select(load => load.Alias).Prepend(query.Alias));
        if (query.OutputBody is { } body)
        {
            _text.Append($"declare function output({variables}) {{ ").Append(body.Print(value => Parameter(value))).Append(" } ");
        }

        _text.Append(query.IsIndex ? "from index " : "from ");
        _text.Append(query.Source == "@all_docs" ? query.Source : RqlNames.Quote(query.Source));
        _text.Append(query.Alias is { } alias ? " as " + alias : "");
        WriteList(" group by ", query.GroupKeys, Write);
        WriteCondition(" where ", query.Where);
        WriteList(" order by ", query.Orders, WriteOrder);
        WriteList(" load ", query.Loads, load => _text.Append(load.Path).Append(" as ").Append(load.Alias));
        WriteCondition(" filter ", query.Filter);
        WriteSelect(query, variables);
        WriteList(" include ", query.Includes, Write);
        WritePage(query);
    }

    private void WriteSelect(RqlQuery query, string variables)
    {
        string select = query.IsDistinct ? " select distinct " : " select ";
        if (query.OutputBody is not null)
        {
            _text.Append(select).Append($"output({variables})");
        }
        else if (query.SelectScript is { } script)
        {
            _text.Append(select).Append(script.Print(value => Parameter(value)));
        }
        else if (query.Selected.Count > 0)
        {
            WriteList(select, query.Selected, WriteSelected);
        }
        else
        {
            _text.Append(query.IsDistinct ? " select distinct *" : "");
        }
    }

    private void WritePage(RqlQuery query)
    {
        (long? skip, long? take) = query.Page;
        if (skip is not null || take is not null)
        {
            _text.Append(" limit ").Append(Parameter(skip ?? 0, new PageOrigin(IsTake: false))).Append(", ")
                .Append(Parameter(take, new PageOrigin(IsTake: true)));
        }

        if (query.FilterLimit is { } limit)
        {
            _text.Append(" filter_limit ").Append(Parameter(limit));
        }
    }

    private void WriteSelected(RqlSelected item)
    {
        Write(item.Value);
        _text.Append(item.Alias is { } alias ? " as " + RqlNames.Name(alias) : "");
    }

    private void WriteOrder(RqlOrder order)
    {
        Write(order.Key);
        _text.Append(order.Type is { } type ? " as " + type : "").Append(order.IsDescending ? " desc" : "");
        _text.Append(order.Nulls is { } nulls ? " nulls " + nulls : "");
    }

    private void WriteCondition(string clause, RqlCondition condition)
    {
        if (condition is not FixedCondition { Value: true })
        {
            _text.Append(clause);
            Write(condition, isOperand: false);
        }
    }

    private void Write(RqlCondition condition, bool isOperand)
    {
        switch (condition)
        {
            case FixedCondition constant:
                _text.Append(constant.Value ? "true" : "false");
                break;
            case RefusedCondition:
                _text.Append('?');
                break;
            case OperatorCondition comparison:
                Write(comparison.Left);
                _text.Append(' ').Append(comparison.Operator).Append(' ');
                Write(comparison.Right);
                break;
            case RangeCondition range:
                Write(range.Left);
                _text.Append(" between ").Append(Parameter(range.Low)).Append(" and ").Append(Parameter(range.High));
                break;
            case ListCondition list:
                Write(list.Left);
                _text.Append(list.IsAll ? " all in (" : " in (").Append(Parameter(list.Values, list.Origin)).Append(')');
                break;
            case CallCondition call:
                Write(call.Call);
                break;
            case OppositeCondition not:
                // Official servers do not accept "not" at the beginning of a condition.
                _text.Append("(true and not ");
                Write(not.Operand, isOperand: true);
                _text.Append(')');
                break;
            case ChainCondition chain:
                WriteChain(chain, isOperand);
                break;
        }
    }

    private void WriteChain(ChainCondition chain, bool isOperand)
    {
        _text.Append(isOperand ? "(" : "");
        for (int i = 0; i < chain.Operands.Count; i++)
        {
            _text.Append(i == 0 ? "" : chain.IsAnd ? " and " : " or ");
            // Within "or" the parentheses are not needed, because "and" binds tighter; they are there for readers.
            Write(chain.Operands[i], isOperand: true);
        }

        _text.Append(isOperand ? ")" : "");
    }

    private void Write(RqlOperand operand)
    {
        switch (operand)
        {
            case TextOperand text:
                _text.Append(text.Text);
                break;
            case ValueOperand value:
                _text.Append(Parameter(value));
                break;
            case ConditionOperand inner:
                Write(inner.Condition, isOperand: false);
                break;
            case CallOperand call:
                WriteList(call.Name + "(", call.Arguments, Write);
                _text.Append(call.Arguments.Count == 0 ? call.Name + "()" : ")");
                _text.Append(call.Alias is { } alias ? " as " + RqlNames.Name(alias) : "");
                break;
        }
    }

    private void WriteList<T>(string begin, IReadOnlyList<T> items, Action<T> write)
    {
        for (int i = 0; i < items.Count; i++)
        {
            _text.Append(i == 0 ? begin : ", ");
            write(items[i]);
        }
    }

    private string Parameter(ValueOperand operand) => Parameter(operand.Value, operand.Origin);

    private string Parameter(object? value, ValueOrigin? origin = null)
    {
        string name = NameOf(_parameters.Count);
        _parameters.Add(name, value);
        _origins.Add(origin);
        return "$" + name;
    }
}
