using System.Collections.ObjectModel;
using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Conditions;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.Linq.Fingerprints;

/// <summary>Walks over a tree, and notes what its text depends on. Captured variables count with their types, literals with their values.</summary>
internal sealed class TreeFingerprint
{
    /// <summary>Larger trees are rare, and their keys would be the larger part of the cache.</summary>
    private const int NodesMax = 500;

    // Kinds that no node has.
    private const int LambdaEnd = 1000;
    private const int ParameterUse = 2000;
    private const int Step = 3000;
    private const int Nothing = 4000;
    private const int Count = 5000;

    private readonly List<FingerprintElement> _parts = new(64);
    private readonly List<Expression> _nodes = new(64);
    private readonly List<ParameterExpression> _scope = new(4);

    private TreeFingerprint()
    {
    }

    /// <summary>The nodes in the order of the walk: the nodes of two trees with the same shape correspond to each other.</summary>
    public IReadOnlyList<Expression> Nodes => _nodes;

    public FingerprintKey Key { get; private set; } = null!;

    /// <summary>The shape of a query; null if it contains something whose text may depend on more than its shape.</summary>
    public static TreeFingerprint? Of(Expression query, Terminal terminal)
    {
        var shape = new TreeFingerprint();
        shape._parts.Add(new FingerprintElement((int)terminal, null));
        if (!shape.Walk(query))
        {
            return null;
        }

        shape.Key = new FingerprintKey(shape._parts);
        return shape;
    }

    private bool Walk(Expression? node)
    {
        if (node is null)
        {
            return Add(Nothing, null);
        }

        if (_nodes.Count == NodesMax)
        {
            return false;
        }

        _nodes.Add(node);
        return node switch
        {
            SourceExpression source => Add((int)node.NodeType, source.Source) && Add((int)node.NodeType, node.Type),
            StepExpression step => Add((int)node.NodeType, node.Type) && WalkStep(step.Step) && Walk(step.Source),
            LambdaExpression lambda => WalkLambda(lambda),
            ParameterExpression parameter => _scope.LastIndexOf(parameter) is var index and >= 0 && Add(ParameterUse + index, null),
            ConstantExpression constant => WalkConstant(constant),
            MemberExpression member => Add((int)node.NodeType, member.Member) && Walk(member.Expression),
            MethodCallExpression { Object: null, Method.Name: "Skip" or "Take", Arguments: [var source, ConstantExpression count] } page
                when page.Method.DeclaringType == typeof(Queryable) => Add((int)node.NodeType, page.Method) && WalkCount(count) && Walk(source),
            MethodCallExpression call => Add((int)node.NodeType, call.Method) && Walk(call.Object) && WalkAll(call.Arguments),
            UnaryExpression unary => Add((int)node.NodeType, node.Type) && Add(Nothing, unary.Method) && Walk(unary.Operand),
            BinaryExpression { Conversion: null } binary =>
                Add((int)node.NodeType, node.Type) && Add(Nothing, binary.Method) && Walk(binary.Left) && Walk(binary.Right),
            ConditionalExpression choice => Add((int)node.NodeType, node.Type) && Walk(choice.Test) && Walk(choice.IfTrue) && Walk(choice.IfFalse),
            _ => WalkRare(node),
        };
    }

    private bool WalkRare(Expression node)
    {
        Add((int)node.NodeType, node.Type);
        switch (node)
        {
            case NewExpression made:
                return Add(made.Members?.Count ?? -1, made.Constructor) && WalkAll(made.Arguments);
            case NewArrayExpression array:
                return WalkAll(array.Expressions);
            case MemberInitExpression init when init.Bindings.All(binding => binding is MemberAssignment):
                return Walk(init.NewExpression) && Add(Count, init.Bindings.Count)
                    && init.Bindings.All(binding => Add(Nothing, binding.Member) && Walk(((MemberAssignment)binding).Expression));
            case ListInitExpression list:
                return Walk(list.NewExpression) && Add(Count, list.Initializers.Count)
                    && list.Initializers.All(element => Add(Nothing, element.AddMethod) && WalkAll(element.Arguments));
            case TypeBinaryExpression test:
                return Add(Nothing, test.TypeOperand) && Walk(test.Expression);
            case InvocationExpression invocation:
                return Walk(invocation.Expression) && WalkAll(invocation.Arguments);
            default:
                return node is DefaultExpression;
        }
    }

    private bool WalkAll(ReadOnlyCollection<Expression> nodes) => Add(Count, nodes.Count) && nodes.All(Walk);

    // Names of parameters become names in scripts.
    private bool WalkLambda(LambdaExpression lambda)
    {
        foreach (ParameterExpression parameter in lambda.Parameters)
        {
            Add((int)ExpressionType.Parameter, parameter.Type);
            Add(Nothing, parameter.Name);
            _scope.Add(parameter);
        }

        bool isKnown = Walk(lambda.Body);
        _scope.RemoveRange(_scope.Count - lambda.Parameters.Count, lambda.Parameters.Count);
        return isKnown && Add(LambdaEnd, lambda.Type);
    }

    // The number of rows is not part of the program's text, unlike other literals.
    private bool WalkCount(ConstantExpression count)
    {
        _nodes.Add(count);
        return Add(Count, count.Type);
    }

    private bool WalkConstant(ConstantExpression constant)
    {
        Add((int)ExpressionType.Constant, constant.Type);
        return constant.Value switch
        {
            IQueryable => false,
            null => Add(Nothing, null),
            var value when Expressions.IsLeaf(value.GetType()) => Add(Nothing, value),
            _ => true,
        };
    }

    // Anything that is not listed here is translated each time.
    private bool WalkStep(QueryStep step)
    {
        Add(Step, step.GetType());
        switch (step)
        {
            case WhereStep where:
                return Add(Nothing, where.IsExact) && Walk(where.Predicate);
            case FilterStep filter:
                return Add(Nothing, filter.Limit) && Walk(filter.Predicate);
            case OrderStep order:
                return Add(Nothing, (order.Type, order.Nulls, order.IsDescending, order.IsThen, order.Sorter)) && Walk(order.Key);
            case SearchStep search:
                return Add(Nothing, (search.Boost, search.Join, search.IsNegated, search.Word)) && Walk(search.Field);
            case VectorStep vector:
                return Add(Nothing, (vector.Place.Source, vector.Place.Target)) && Add(Nothing, vector.Choice) && Walk(vector.Place.Field);
            case ScoreStep:
                return Add(Nothing, step);
            case ProjectStep project:
                return Add(Count, project.Members.Count) && project.Members.All(member => Add(Nothing, member));
            case IncludeStep include:
                return Add(Count, include.Parts.Count) && include.Parts.All(Walk);
            default:
                return false;
        }
    }

    private bool Walk(QueryField field) => Add(Nothing, field.Path?.Text) && Walk(field.Lambda);

    private bool Walk(IncludeClause part) => Add(Nothing, (part.PathText, part.Call, string.Join('\0', part.Arguments))) && Walk(part.Path);

    private bool Add(int kind, object? name)
    {
        _parts.Add(new FingerprintElement(kind, name));
        return true;
    }
}
