using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>One key of groups.</summary>
/// <param name="Member">Member of the key's object in C#; null if the key is this value itself.</param>
/// <param name="IsWhole">Whether the content of an array is one key.</param>
internal sealed record GroupKeyField(string? Member, RqlPath Path, bool IsWhole)
{
    public RqlOperand Operand => IsWhole ? new CallOperand("array", [new TextOperand(Path.Text)]) : new TextOperand(Path.Text);
}

/// <summary>What lambdas after a <c>GroupBy</c> can read: keys, the count, sums.</summary>
/// <param name="parameter">Stands for the group.</param>
/// <param name="element">The lambda that says what an element of the group is; null: the document.</param>
/// <param name="keyParameter">Stands for its key, where a lambda has a parameter for it; null: none.</param>
internal sealed class GroupScope(
    ParameterExpression parameter, ParameterExpression? keyParameter, IReadOnlyList<GroupKeyField> keys, LambdaExpression? element, FieldResolver fields)
{
    public ParameterExpression Parameter => parameter;

    public IReadOnlyList<GroupKeyField> Keys => keys;

    /// <summary>The key, count or sum that an expression reads; null if it reads none of them.</summary>
    public ResolvedField? TryFind(Expression expression)
    {
        Expression stripped = Expressions.Strip(expression);
        if (TryKey(stripped) is { } key)
        {
            return new ResolvedField(new TextOperand(key.IsWhole ? "key()" : key.Path.Text), key.Path.Type, IsOfEach: false);
        }

        return TryAggregate(stripped) is { } call ? new ResolvedField(call, stripped.Type, IsOfEach: false) : null;
    }

    /// <summary>The key that <c>g.Key</c> or <c>g.Key.Member</c> is.</summary>
    public GroupKeyField? TryKey(Expression expression)
    {
        Expression read = Expressions.Strip(expression);
        return IsWholeKey(read) ? keys is [{ Member: null } only] ? only : null
            : read is MemberExpression { Expression: { } owner } member && IsWholeKey(owner) ? keys.FirstOrDefault(key => key.Member == member.Member.Name)
            : null;
    }

    /// <summary>Whether it is the key, no matter how many fields the key has.</summary>
    public bool IsWholeKey(Expression expression) => Expressions.Strip(expression) switch
    {
        ParameterExpression key => key == keyParameter,
        MemberExpression { Member.Name: "Key", Expression: ParameterExpression owner } => owner == parameter,
        _ => false,
    };

    /// <summary><c>count()</c> or <c>sum(...)</c>.</summary>
    public CallOperand? TryAggregate(Expression expression)
    {
        if (expression is not MethodCallExpression { Arguments: [ParameterExpression owner, ..] } call || owner != parameter)
        {
            return null;
        }

        switch (call.Method.Name)
        {
            case "Count" or "LongCount" when call.Arguments.Count == 1:
                return new CallOperand("count", []);
            case "Sum":
                return TrySummed(call) is { } summed ? new CallOperand("sum", [new TextOperand(summed.Text)]) : null;
            default:
                return null;
        }
    }

    /// <summary>The field of <c>g.Sum(...)</c> or <c>g.Average(...)</c>; null when it is not a field.</summary>
    public RqlPath? TrySummed(MethodCallExpression call)
    {
        LambdaExpression? lambda = call.Arguments.Count > 1 ? Expressions.Lambda(call.Arguments[1]) : element;
        if (lambda is null || call.Arguments.Count > 2)
        {
            return null;
        }

        Expression body = call.Arguments.Count > 1 && element is not null ? ParameterBinding.Apply(lambda, element.Body) : lambda.Body;
        ParameterExpression row = call.Arguments.Count > 1 && element is not null ? element.Parameters[0] : lambda.Parameters[0];
        fields.Bind(row, new RqlPath([], row.Type));

        // The sum over lines of all documents: sum(Lines[].Price).
        if (body is MethodCallExpression { Method.Name: "Sum", Arguments: [var list, var each] } && Expressions.Strip(each) is LambdaExpression inner
            && fields.TryFind(list) is { IsId: false } path)
        {
            fields.Bind(inner.Parameters[0], path.Each(inner.Parameters[0].Type));
            body = inner.Body;
        }

        return fields.TryFind(body) is { IsDocument: false } found ? found : null;
    }
}
