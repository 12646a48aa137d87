using Jackdaw.Client.Linq.Translation;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Jackdaw.Client.Analyzers;

/// <summary>Finds parts of a condition that cannot be asked. Parts that would not certainly be refused are left alone.</summary>
/// <param name="isFilter">Whether the server reads the documents, so that fields may be compared.</param>
internal sealed class ConditionCheck(FieldPaths fields, QuerySymbols symbols, bool isFilter, Action<SyntaxNode, Refusal> report)
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
        if (refusal is null && !isFilter && fields.IsField(comparison.LeftOperand) && fields.IsField(comparison.RightOperand))
        {
            refusal = Translatable.TwoFields;
        }

        if (refusal is not null && !(refusal == Translatable.Counted && AsksForSome(comparison)))
        {
            report(comparison.Syntax, refusal);
        }
    }

    // x.Tags.Count > 0
    private static bool AsksForSome(IBinaryOperation comparison)
    {
        bool isRight = comparison.RightOperand.ConstantValue.HasValue;
        string? sign = (comparison.OperatorKind, isRight) switch
        {
            (BinaryOperatorKind.Equals, _) => "=",
            (BinaryOperatorKind.NotEquals, _) => "!=",
            (BinaryOperatorKind.GreaterThan, true) or (BinaryOperatorKind.LessThan, false) => ">",
            (BinaryOperatorKind.GreaterThanOrEqual, true) or (BinaryOperatorKind.LessThanOrEqual, false) => ">=",
            (BinaryOperatorKind.LessThan, true) or (BinaryOperatorKind.GreaterThan, false) => "<",
            (BinaryOperatorKind.LessThanOrEqual, true) or (BinaryOperatorKind.GreaterThanOrEqual, false) => "<=",
            _ => null,
        };
        IOperation number = Shapes.Strip(isRight ? comparison.RightOperand : comparison.LeftOperand);
        return sign is not null && number.ConstantValue is { HasValue: true, Value: var value } && Translatable.AsksForSome(sign, value) is not null;
    }

    private void Call(IInvocationOperation call)
    {
        IMethodSymbol method = call.TargetMethod;
        if (RefusalOf(call, method) is { } refusal)
        {
            report(call.Syntax, refusal);
        }
        else if (symbols.IsOfLists(method) && method.Name is "Any" or "All" && Shapes.Lambda(call, 1) is { } lambda && Shapes.Argument(call, 0) is { } list
            && fields.IsField(list) && Shapes.Body(lambda) is { } body)
        {
            new ConditionCheck(new FieldPaths(lambda.Symbol.Parameters[0], symbols, isElement: true), symbols, isFilter: true, report).Visit(body);
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
            return method.Name == "Contains" && call.Instance is { } text && !fields.IsUsedIn(text) ? Translatable.Computed : null;
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
}
