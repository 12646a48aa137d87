using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Groups.</summary>
internal sealed partial class LinqTranslator
{
    // GroupBy(key), (key, element), (key, result), (key, element, result)
    private void GroupBy(MethodCallExpression call)
    {
        LambdaExpression[] lambdas = [.. call.Arguments.Skip(1).Select(Expressions.Strip).OfType<LambdaExpression>()];
        if (lambdas.Length != call.Arguments.Count - 1)
        {
            _problems.Add("GroupBy(...)", "A comparer is not known to the server.", "Leave it out.");
            return;
        }

        LambdaExpression? result = lambdas[^1].Parameters.Count == 2 ? lambdas[^1] : null;
        LambdaExpression? element = lambdas.Length > 1 && lambdas[1].Parameters.Count == 1 ? lambdas[1] : null;
        Expression body = Bind(lambdas[0]);
        BeginGroups(call, KeysOf(body), result?.Parameters[1], result?.Parameters[0], element);
        _element = result?.Body ?? _element;
    }

    private void GroupByArray(Expression call, GroupArrayStep step)
    {
        LambdaExpression lambda = step.Array;
        RqlPath? path = _fields.TryFind(Bind(lambda));
        if (path is null or { IsId: true })
        {
            _problems.Add(lambda, "A key is a field of the documents.", "Name a list, such as x => x.Lines.Select(l => l.Product).");
            return;
        }

        path = step.IsWhole ? path with { Type = lambda.Body.Type } : (path.IsOfEach ? path : path.Each(step.ElementType)) with { Type = step.ElementType };
        BeginGroups(call, [new GroupKeyField(null, path, step.IsWhole)], group: null, key: null, element: null);
    }

    /// <param name="group">Stands for a group in the result that the same call makes; null: it makes none.</param>
    /// <param name="key">Stands for its key there.</param>
    private void BeginGroups(
        Expression call, List<GroupKeyField> keys, ParameterExpression? group, ParameterExpression? key, LambdaExpression? element)
    {
        if (_group is not null || _element != _root)
        {
            _problems.Add(call, "The server groups documents.", "Put GroupBy before Select, and use one.");
        }

        if (_query.Orders.Count > 0)
        {
            _problems.Add(call, "An order before GroupBy is lost.", "Order the groups after it.");
        }

        RequireUnpaged(call);
        RequireKeys(call, keys);
        _query.GroupKeys.AddRange(keys.Select(key => key.Operand));
        group ??= Expression.Parameter(call.Type.GetGenericArguments()[0], "g");
        _group = new GroupScope(group, key, keys, element, _fields);
        _operands.Group = _group;
        _element = group;
    }

    // Conditions of RQL apply to the groups. A condition on a key means the same before and after the grouping.
    private void RequireKeys(Expression call, List<GroupKeyField> keys)
    {
        HashSet<string> names = [.. keys.Select(key => key.Path.Text)];
        if (_where.Any(condition => !FieldsOf(condition).All(names.Contains)))
        {
            _problems.Add("Where(...) before GroupBy(...)", "The server groups all documents; conditions select groups.",
                "Make the field a key of the group, or define a map-reduce index with the condition.");
        }

        if (keys.Count == 0)
        {
            _problems.Add(call is MethodCallExpression method ? method.Arguments[1] : call, Translatable.Key.Reason, Translatable.Key.Hint);
        }
    }

    private static IEnumerable<string> FieldsOf(RqlCondition condition) => condition switch
    {
        OperatorCondition comparison => FieldsOf(comparison.Left),
        RangeCondition range => FieldsOf(range.Left),
        ListCondition list => FieldsOf(list.Left),
        CallCondition call => FieldsOf(call.Call),
        OppositeCondition not => FieldsOf(not.Operand),
        ChainCondition chain => chain.Operands.SelectMany(FieldsOf),
        _ => [],
    };

    private static IEnumerable<string> FieldsOf(RqlOperand operand) => operand switch
    {
        TextOperand text => [text.Text],
        CallOperand call => call.Arguments.SelectMany(FieldsOf),
        ConditionOperand inner => FieldsOf(inner.Condition),
        _ => [],
    };

    private List<GroupKeyField> KeysOf(Expression body)
    {
        if (ProjectionTranslator.MembersOf(Expressions.Strip(body), member => member.Name) is not { } members)
        {
            return _operands.TryPath(body) is { IsDocument: false, IsOfEach: false } only ? [new GroupKeyField(null, only, IsWhole: false)] : [];
        }

        List<GroupKeyField> keys = [];
        foreach ((string name, Expression value) in members)
        {
            if (_operands.TryPath(value) is not { IsDocument: false, IsOfEach: false } path)
            {
                _problems.Add(value, "A key is a field of the documents.", "Compute the key in an index.");
                continue;
            }

            keys.Add(new GroupKeyField(name, path, IsWhole: false));
        }

        return keys;
    }
}
