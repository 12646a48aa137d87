using Jackdaw.Client.Linq.Translation;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Jackdaw.Client.Analyzers;

/// <summary>Finds parts of a condition that cannot be asked. Parts that would not certainly be refused are left alone.</summary>
/// <param name="isOfElements">Whether the condition is within <c>Any</c> on a list of the document.</param>
/// <param name="isFilter">Whether the server reads the documents, so that fields may be compared.</param>
internal sealed class ConditionCheck(FieldPaths fields, QuerySymbols symbols, bool isOfElements, bool isFilter, Action<SyntaxNode, Refusal> report)
{
    public void Visit(IOperation condition)
    {
        IOperation stripped = Shapes.Strip(condition);
        if (!fields.IsUsedIn(stripped))
        {
            return;
        }

        switch (stripped)
        {
            case IBinaryOperation { OperatorKind: BinaryOperatorKind.ConditionalAnd or BinaryOperatorKind.ConditionalOr } chain:
                Visit(chain.LeftOperand);
                Visit(chain.RightOperand);
                break;
            case IUnaryOperation { OperatorKind: UnaryOperatorKind.Not } not:
                Visit(not.Operand);
                break;
            case IBinaryOperation { OperatorKind: >= BinaryOperatorKind.Equals and <= BinaryOperatorKind.GreaterThan } comparison:
                Compare(comparison);
                break;
            case IInvocationOperation call:
                Call(call);
                break;
        }
    }

    private void Compare(IBinaryOperation comparison)
    {
        Refusal? refusal = fields.Computed(comparison.LeftOperand) ?? fields.Computed(comparison.RightOperand);
        if (refusal is null && fields.IsField(comparison.LeftOperand))
        {
            refusal = !isFilter && fields.IsField(comparison.RightOperand) ? Translatable.TwoFields
                : isOfElements && comparison.OperatorKind == BinaryOperatorKind.NotEquals && !fields.IsUsedIn(comparison.RightOperand)
                    ? Translatable.UnequalElement
                : null;
        }

        if (refusal is not null)
        {
            report(comparison.Syntax, refusal);
        }
    }

    private void Call(IInvocationOperation call)
    {
        IMethodSymbol method = call.TargetMethod;
        if (RefusalOf(call, method) is { } refusal)
        {
            report(call.Syntax, refusal);
        }
        else if (symbols.IsOfLists(method) && method.Name == "Any" && Shapes.Lambda(call, 1) is { } lambda && Shapes.Argument(call, 0) is { } list
            && fields.IsField(list) && !isOfElements && Shapes.Body(lambda) is { } body)
        {
            Any(call, new FieldPaths(lambda.Symbol.Parameters[0], symbols, isElement: true), body);
        }
    }

    private Refusal? RefusalOf(IInvocationOperation call, IMethodSymbol method)
    {
        if (FieldPaths.IsOfClient(method))
        {
            return null;
        }

        if (method.ContainingType.SpecialType == SpecialType.System_String)
        {
            return method.Name == "Contains" && call.Instance is { } text ? fields.IsField(text) ? Translatable.Substring : Translatable.Computed : null;
        }

        if (method.ContainingType.ToDisplayString() == "System.Text.RegularExpressions.Regex")
        {
            return method is { Name: "IsMatch", IsStatic: true, Parameters.Length: 2 } ? null : Translatable.Pattern;
        }

        if (method.Name == "Contains" && call.Arguments.Any(IsComparer))
        {
            return Translatable.Comparer;
        }

        return symbols.IsOfLists(method) ? Translatable.SequenceCall(method.Name) : Translatable.Call(method.Name);
    }

    private static bool IsComparer(IArgumentOperation argument) => argument is { ArgumentKind: ArgumentKind.Explicit, Parameter.Type.Name: "IEqualityComparer" }
        && !argument.Value.ConstantValue.HasValue && Shapes.Strip(argument.Value) is not (ILiteralOperation or IDefaultValueOperation);

    private void Any(IInvocationOperation call, FieldPaths elements, IOperation body)
    {
        // Two equalities of different members stay two conditions, no matter what their values are. Other pairs may become one condition.
        HashSet<string> members = new(StringComparer.Ordinal);
        foreach (IOperation part in Parts(body))
        {
            if (part is not IBinaryOperation { OperatorKind: BinaryOperatorKind.Equals } equal || !elements.IsField(equal.LeftOperand)
                || elements.IsUsedIn(equal.RightOperand) || fields.IsUsedIn(equal.RightOperand))
            {
                members.Clear();
                break;
            }

            members.Add(Shapes.Strip(equal.LeftOperand).Syntax.ToString());
        }

        if (members.Count > 1)
        {
            report(call.Syntax, Translatable.SeveralOfElements);
            return;
        }

        new ConditionCheck(elements, symbols, isOfElements: true, isFilter, report).Visit(body);
    }

    private static IEnumerable<IOperation> Parts(IOperation condition) =>
        Shapes.Strip(condition) is IBinaryOperation { OperatorKind: BinaryOperatorKind.ConditionalAnd } both
            ? Parts(both.LeftOperand).Concat(Parts(both.RightOperand))
            : [Shapes.Strip(condition)];
}
