using System.Linq.Expressions;
using System.Reflection;

namespace Jackdaw.Client.Indexes.Translation;

/// <summary>Finds parts that give another value each time: the clock, random numbers, new ids.</summary>
internal sealed class ClockFinder : ExpressionVisitor
{
    private Expression? _found;

    /// <summary>The first such part; null: there is none.</summary>
    public static Expression? Find(Expression expression)
    {
        var finder = new ClockFinder();
        finder.Visit(expression);
        return finder._found;
    }

    public override Expression? Visit(Expression? node) =>
        _found is not null || !System.Runtime.CompilerServices.RuntimeHelpers.TryEnsureSufficientExecutionStack() ? node : base.Visit(node);

    protected override Expression VisitMember(MemberExpression node)
    {
        _found ??= node.Expression is null && IsChanging(node.Member) ? node : null;
        return base.VisitMember(node);
    }

    protected override Expression VisitMethodCall(MethodCallExpression node)
    {
        _found ??= IsChanging(node.Method) ? node : null;
        return base.VisitMethodCall(node);
    }

    protected override Expression VisitNew(NewExpression node)
    {
        _found ??= node.Type == typeof(Random) ? node : null;
        return base.VisitNew(node);
    }

    private static bool IsChanging(MemberInfo member)
    {
        Type? type = member.DeclaringType;
        return ((type == typeof(DateTime) || type == typeof(DateTimeOffset)) && member.Name is "Now" or "UtcNow" or "Today")
            || (type == typeof(Guid) && member.Name is "NewGuid" or "CreateVersion7")
            || (type == typeof(Environment) && member.Name is "TickCount" or "TickCount64")
            || (type == typeof(System.Diagnostics.Stopwatch) && member.Name == "GetTimestamp")
            || type == typeof(Random) || type == typeof(TimeProvider);
    }
}
