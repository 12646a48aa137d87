using System.Linq.Expressions;
using System.Reflection;
using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Puts an expression into the place of a lambda's parameter, and resolves members of new objects: <c>new { A = x.B }.A</c> is <c>x.B</c>.
/// So operators after a projection see the documents.</summary>
internal sealed class ParameterBinding : ExpressionVisitor
{
    private readonly ParameterExpression _parameter;
    private readonly Expression _value;

    private ParameterBinding(ParameterExpression parameter, Expression value) => (_parameter, _value) = (parameter, value);

    /// <summary>The body of a lambda with one parameter, applied to this value.</summary>
    public static Expression Apply(LambdaExpression lambda, Expression value) => Apply(lambda.Body, lambda.Parameters[0], value);

    public static Expression Apply(Expression body, ParameterExpression parameter, Expression value) =>
        parameter == value ? body : new ParameterBinding(parameter, value).Visit(body)!;

    public override Expression? Visit(Expression? node) => System.Runtime.CompilerServices.RuntimeHelpers.TryEnsureSufficientExecutionStack()
        ? base.Visit(node)
        : throw new InsufficientExecutionStackException();

    protected override Expression VisitParameter(ParameterExpression node) => node == _parameter ? _value : node;

    protected override Expression VisitMember(MemberExpression node)
    {
        if (node.Expression is null)
        {
            return node;
        }

        Expression owner = Visit(node.Expression)!;
        if (MemberOf(owner, node.Member) is { } value)
        {
            return value;
        }

        return owner == node.Expression ? node : node.Member.DeclaringType!.IsAssignableFrom(owner.Type) ? node.Update(owner) : node;
    }

    // A body keeps its type where a value of another, compatible type takes the place of the parameter.
    protected override Expression VisitUnary(UnaryExpression node)
    {
        Expression operand = Visit(node.Operand)!;
        return operand == node.Operand ? node : Expression.MakeUnary(node.NodeType, operand, node.Type, node.Method);
    }

    private static Expression? MemberOf(Expression owner, MemberInfo member)
    {
        Expression made = owner is LetExpression let ? let.Value : owner;
        switch (made)
        {
            case NewExpression { Members: { } members } anonymous:
                int index = members.ToList().FindIndex(candidate => candidate.Name == member.Name);
                return index >= 0 ? anonymous.Arguments[index] : null;
            case NewExpression { Constructor: { } constructor } record:
                int parameter = Array.FindIndex(
                    constructor.GetParameters(), candidate => string.Equals(candidate.Name, member.Name, StringComparison.OrdinalIgnoreCase));
                return parameter >= 0 ? record.Arguments[parameter] : null;
            case MemberInitExpression init:
                return init.Bindings.OfType<MemberAssignment>().FirstOrDefault(binding => binding.Member.Name == member.Name)?.Expression
                    ?? MemberOf(init.NewExpression, member);
            default:
                return null;
        }
    }
}
