using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Planning;

/// <summary>The condition of <c>any(Lines as line, line.Product = 'p')</c> as one of the whole list: <c>Lines[].Product = 'p'</c>. It also holds when
/// several elements meet it together.</summary>
internal sealed class ElementConditions
{
    private readonly string _name;
    private readonly FieldPath _list;

    private ElementConditions(string name, FieldPath list) => (_name, _list) = (name, list);

    /// <summary>A condition of fields of an index that holds at least where the <c>any</c> holds; null when there is none.</summary>
    public static Expression? Flatten(MethodExpression any)
    {
        FieldPath? list = any.Arguments[0].Value switch
        {
            FieldExpression field => field.Path,
            LiteralExpression { Kind: LiteralKind.String } quoted => new FieldPath([new FieldSegment(quoted.Text, null, IsQuoted: true)], quoted.TextPosition),
            _ => null,
        };
        return list is null || any.Arguments[0].Alias is not { } name ? null : new ElementConditions(name, list).Flatten(any.Arguments[1].Value);
    }

    private Expression? Flatten(Expression condition)
    {
        switch (condition)
        {
            case LogicalExpression logical:
                List<Expression?> operands = [.. logical.Operands.Select(Flatten)];
                List<Expression> known = [.. operands.OfType<Expression>()];
                return known.Count == 0 || (!logical.IsAnd && known.Count < operands.Count) ? null
                    : known.Count == 1 ? known[0]
                    : logical with { Operands = known };
            case ComparisonExpression { Operator: not ComparisonOperator.NotEqual, Right: not FieldExpression } comparison:
                return Field(comparison.Left) is { } compared ? comparison with { Left = compared } : null;
            case BetweenExpression between:
                return Field(between.Left) is { } ranged ? between with { Left = ranged } : null;
            case InExpression list:
                return Field(list.Left) is { } listed ? list with { Left = listed } : null;
            case MethodExpression method when method.Is("exact"):
                return Flatten(method.Arguments[0].Value) is { } exact ? With(method, new MethodArgument(exact, null)) : null;
            case MethodExpression method when method.Is("any"):
                return Field(method.Arguments[0].Value) is { } inner
                    && Flatten(With(method, method.Arguments[0] with { Value = inner })) is { } flat ? Flatten(flat) : null;
            case MethodExpression method when method.Is("startsWith") || method.Is("endsWith") || method.Is("contains"):
                return Field(method.Arguments[0].Value) is { } text ? With(method, new MethodArgument(text, null)) : null;
            default:
                return null;
        }
    }

    private static MethodExpression With(MethodExpression method, MethodArgument first) =>
        method with { Arguments = [first, .. method.Arguments.Skip(1)] };

    // Fields of the document itself stay as they are.
    private Expression? Field(Expression expression)
    {
        if (expression is not FieldExpression { Path: var path } field)
        {
            return expression is MethodExpression { IsDocumentId: true } ? expression : null;
        }

        if (path.IsQuoted || path.FirstName != _name)
        {
            return field;
        }

        IEnumerable<FieldSegment> each = _list.Parts[^1].IsEach ? [] : [new FieldSegment(null, null, IsQuoted: false)];
        return field with { Path = _list with { Parts = [.. _list.Parts, .. each, .. path.Parts.Skip(1)] } };
    }
}
