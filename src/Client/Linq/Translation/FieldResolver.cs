using System.Linq.Expressions;
using System.Reflection;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Finds the place in a document that an expression reads.</summary>
internal sealed class FieldResolver(TranslationContext context)
{
    private readonly Dictionary<ParameterExpression, RqlPath> _scopes = [];

    public TranslationContext Context => context;

    /// <summary>Says what a parameter of a lambda stands for.</summary>
    public void Bind(ParameterExpression parameter, RqlPath path) => _scopes[parameter] = path;

    /// <summary>The place; null when the expression reads none.</summary>
    public RqlPath? TryFind(Expression expression)
    {
        switch (Expressions.Strip(expression))
        {
            case ParameterExpression parameter:
                return _scopes.GetValueOrDefault(parameter);
            case MemberExpression { Expression: { } inner } member when TryFind(inner) is { } owner:
                return OfMember(owner, member);
            case BinaryExpression { NodeType: ExpressionType.ArrayIndex } element
                when Expressions.IsSequence(element.Left.Type) && TryFind(element.Left) is { IsId: false } owner:
                return At(owner, element.Right, element.Type);
            case MethodCallExpression call:
                return OfCall(call);
            default:
                return null;
        }
    }

    private RqlPath? OfMember(RqlPath owner, MemberExpression member)
    {
        Type type = member.Expression!.Type;
        if (Expressions.IsNullable(type))
        {
            return member.Member.Name == "Value" ? owner with { Type = member.Type } : null;
        }

        if (context.IsTypeOfIds(type))
        {
            return owner with { Type = member.Type }; // the value alone is stored
        }

        if (owner.IsId || Expressions.IsSequence(type) || owner.Steps.Count > 100 || context.IsStoredAsValue(type))
        {
            return null;
        }

        return owner.IsDocument && context.IsIdentity(member.Member)
            ? new RqlPath([], member.Type, IsId: true)
            : owner.Member(context.NameOf(member.Member), member.Type);
    }

    private RqlPath? OfCall(MethodCallExpression call)
    {
        if (call is { Method.Name: "get_Item", Object: { } target, Arguments: [var key] })
        {
            Expression owner = Expressions.Strip(target);
            return owner is MethodCallExpression metadata && metadata.Method.GetCustomAttribute<TranslatedAsAttribute>()?.Marker == Marker.Metadata
                ? OfMetadata(metadata, key, call.Type)
                : TryFind(target) is { IsId: false } path ? At(path, key, call.Type) : null;
        }

        return call.Method.DeclaringType == typeof(Enumerable) && call.Arguments.Count > 0 ? OfSequence(call) : null;
    }

    // This metadata is stored in the document. The time and the version of its last write are not, and indexes have no field for them.
    private RqlPath? OfMetadata(MethodCallExpression metadata, Expression key, Type type)
    {
        RqlPath? path = TryFind(metadata.Arguments[0]) is { IsDocument: true } document
            ? At(document.Member("@metadata", typeof(object)), key, type) : null;
        return path?.LastName switch
        {
            "@last-modified" or "@change-vector" => null,
            "@id" => new RqlPath([], type, IsId: true),
            _ => path,
        };
    }

    // Lines.Select(l => l.Product): each of them.
    private RqlPath? OfSequence(MethodCallExpression call)
    {
        if (Expressions.IsMap(Expressions.Strip(call.Arguments[0]).Type) || TryFind(call.Arguments[0]) is not { IsId: false } list)
        {
            return null;
        }

        switch (call.Method.Name)
        {
            case "ToList" or "ToArray" or "AsEnumerable":
                return list;
            case "Select" or "SelectMany" when call.Arguments.Count == 2 && Expressions.Lambda(call.Arguments[1]) is { Parameters: [var element] } lambda:
                Bind(element, list.Each(element.Type));
                return TryFind(lambda.Body) is { } inner && inner.IsOfEach ? inner with { Type = call.Type } : null;
            default:
                return null;
        }
    }

    private static RqlPath? At(RqlPath owner, Expression key, Type type)
    {
        if (Expressions.UsesParameter(key) || !CapturedValues.TryRead(key, out object? value, out _))
        {
            return null;
        }

        return value switch
        {
            int position and >= 0 => owner.At(position, type),
            string name when name.Length > 0 => owner.Member(name, type),
            _ => null,
        };
    }
}
