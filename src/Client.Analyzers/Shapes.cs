using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace Jackdaw.Client.Analyzers;

/// <summary>Questions about operations that all rules ask.</summary>
internal static class Shapes
{
    /// <summary>Without conversions and parentheses, in which the compiler wraps operands.</summary>
    public static IOperation Strip(IOperation operation)
    {
        while (true)
        {
            switch (operation)
            {
                case IConversionOperation { OperatorMethod: null } conversion when !IsCutting(conversion):
                    operation = conversion.Operand;
                    break;
                case IParenthesizedOperation parenthesized:
                    operation = parenthesized.Operand;
                    break;
                case ITranslatedQueryOperation query:
                    operation = query.Operation;
                    break;
                case IDelegateCreationOperation creation:
                    operation = creation.Target;
                    break;
                default:
                    return operation;
            }
        }
    }

    /// <summary>The argument for a parameter; null if there is none.</summary>
    public static IOperation? Argument(IInvocationOperation call, int ordinal) =>
        call.Arguments.FirstOrDefault(argument => argument.Parameter?.Ordinal == ordinal)?.Value;

    /// <summary>The lambda of an argument; null if it is something else, such as a variable.</summary>
    public static IAnonymousFunctionOperation? Lambda(IInvocationOperation call, int ordinal) =>
        Argument(call, ordinal) is { } argument ? Strip(argument) as IAnonymousFunctionOperation : null;

    /// <summary>The value of a lambda with an expression as its body.</summary>
    public static IOperation? Body(IAnonymousFunctionOperation lambda) =>
        lambda.Body.Operations.Length > 0 && lambda.Body.Operations[0] is IReturnOperation { ReturnedValue: { } value } ? value : null;

    /// <summary>Whether a parameter is read anywhere within.</summary>
    public static bool Uses(IOperation operation, IParameterSymbol parameter) =>
        operation.DescendantsAndSelf().Any(one => one is IParameterReferenceOperation reference
            && SymbolEqualityComparer.Default.Equals(reference.Parameter, parameter));

    /// <summary>Whether code becomes an expression tree, which a translator reads and which does not run.</summary>
    public static bool IsInExpressionTree(IOperation operation)
    {
        for (IOperation? around = operation; around is not null; around = around.Parent)
        {
            if (around is IAnonymousFunctionOperation { Parent.Type: INamedTypeSymbol { Name: "Expression", IsGenericType: true } type }
                && type.ContainingNamespace.ToDisplayString() == "System.Linq.Expressions")
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>The value of a local variable that is set only once, in its declaration; null if that is not certain.</summary>
    public static IOperation? TryFindOnlyValue(ILocalReferenceOperation reference)
    {
        if (reference.Local.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax() is not VariableDeclaratorSyntax { Initializer.Value: { } value }
            || reference.SemanticModel is not { } model)
        {
            return null;
        }

        IOperation whole = reference;
        while (whole.Parent is { } parent)
        {
            whole = parent;
        }

        bool isSetAgain = whole.Descendants().Any(one => one is ILocalReferenceOperation other
            && SymbolEqualityComparer.Default.Equals(other.Local, reference.Local)
            && (other.Parent is IAssignmentOperation assignment && assignment.Target == other
                || other.Parent is IArgumentOperation { Parameter.RefKind: not RefKind.None }
                || other.Parent is ITupleOperation));
        return isSetAgain ? null : model.GetOperation(value);
    }

    // (int)x.Price leaves something out, so it is no longer a field.
    private static bool IsCutting(IConversionOperation conversion) => IsFraction(conversion.Operand.Type) && IsWhole(conversion.Type);

    private static bool IsFraction(ITypeSymbol? type) =>
        Plain(type)?.SpecialType is SpecialType.System_Single or SpecialType.System_Double or SpecialType.System_Decimal;

    private static bool IsWhole(ITypeSymbol? type) => Plain(type)?.SpecialType is >= SpecialType.System_SByte and <= SpecialType.System_UInt64;

    /// <summary>The type without <c>?</c>.</summary>
    public static ITypeSymbol? Plain(ITypeSymbol? type) =>
        type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable ? nullable.TypeArguments[0] : type;
}
