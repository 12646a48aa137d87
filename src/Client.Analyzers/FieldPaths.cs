using Jackdaw.Client.Linq.Translation;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Jackdaw.Client.Analyzers;

/// <summary>What an expression reads of a document: a field as it is stored, or something that is computed from fields.</summary>
/// <param name="parameter">Stands for the document, or for an element of a list in it.</param>
/// <param name="isElement">Whether it stands for an element, which can itself be a value.</param>
internal sealed class FieldPaths(IParameterSymbol parameter, QuerySymbols symbols, bool isElement)
{
    private static readonly HashSet<string> s_times = new(StringComparer.Ordinal) { "DateTime", "DateTimeOffset", "TimeSpan", "DateOnly", "TimeOnly" };

    public IParameterSymbol Parameter => parameter;

    public bool IsUsedIn(IOperation operation) => Shapes.Uses(operation, parameter);

    /// <summary>Whether it is certain that this is a stored field: a member of members of the document, or an element.</summary>
    public bool IsField(IOperation operation) => (isElement && IsParameter(operation)) || IsMember(operation);

    /// <summary>Why a value is not a stored field; null if it is one, or if that is not certain.</summary>
    public Refusal? Computed(IOperation operand)
    {
        IOperation value = Shapes.Strip(operand);
        if (!IsUsedIn(value))
        {
            return null;
        }

        switch (value)
        {
            case IInvocationOperation call:
                return Computed(call);
            case IPropertyReferenceOperation { Property.Name: "Count", Instance: { } map } when IsField(map) && IsMap(map.Type):
                return Translatable.Counted;
            case IPropertyReferenceOperation { Property: { IsStatic: false } part, Instance: { } time } when IsField(time) && IsTime(part.ContainingType)
                && part is not { Name: "Date", ContainingType.Name: "DateTime" }
                && !Translatable.IsPartOf(part.ContainingType.Name, part.Name):
                return Translatable.Computed;
            case IBinaryOperation { OperatorKind: >= BinaryOperatorKind.Add and <= BinaryOperatorKind.Remainder }:
                return Translatable.Computed;
            default:
                return null;
        }
    }

    private Refusal? Computed(IInvocationOperation call)
    {
        IMethodSymbol method = call.TargetMethod;
        if (method.ContainingType.SpecialType == SpecialType.System_String && call.Instance is { } text)
        {
            return !IsField(text) ? null : Translatable.IsCasing(method.Name) ? Translatable.Casing
                : method.Name is "Trim" or "Substring" or "Replace" ? Translatable.Computed
                : null;
        }

        if (symbols.IsOfLists(method))
        {
            return method.Name is "Count" or "LongCount" && call.Arguments.Length > 1 && Shapes.Argument(call, 0) is { } list && IsField(list)
                ? Translatable.Counted
                : null;
        }

        bool isOfUser = method.DeclaringSyntaxReferences.Length > 0 && method.Name != "CompareTo" && !IsOfClient(method);
        return isOfUser || method.ContainingType.ToDisplayString() == "System.Math" ? Translatable.Call(method.Name) : null;
    }

    private bool IsMember(IOperation operation) => Shapes.Strip(operation) is IMemberReferenceOperation { Instance: { } owner } member
        && member is IPropertyReferenceOperation { Arguments.IsEmpty: true } or IFieldReferenceOperation
        && (IsParameter(owner) || IsField(owner))
        && (IsNullable(owner.Type) ? member.Member.Name == "Value" : !IsLeaf(owner.Type) && !IsSequence(owner.Type));

    private bool IsParameter(IOperation operation) =>
        Shapes.Strip(operation) is IParameterReferenceOperation reference && SymbolEqualityComparer.Default.Equals(reference.Parameter, parameter);

    /// <summary>A method that may have a meaning of its own in queries.</summary>
    public static bool IsOfClient(IMethodSymbol method)
    {
        string space = method.ContainingNamespace.ToDisplayString();
        return space == "Jackdaw.Client" || space.StartsWith("Jackdaw.Client.", StringComparison.Ordinal);
    }

    private static bool IsNullable(ITypeSymbol? type) => type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T };

    private static bool IsTime(INamedTypeSymbol type) => s_times.Contains(type.Name) && type.ContainingNamespace.ToDisplayString() == "System";

    private static bool IsMap(ITypeSymbol? type) =>
        type is not null && type.AllInterfaces.Any(one => one.ToDisplayString() == "System.Collections.IDictionary");

    private static bool IsSequence(ITypeSymbol? type) => type is not null && type.SpecialType != SpecialType.System_String
        && (type.SpecialType == SpecialType.System_Collections_IEnumerable
            || type.AllInterfaces.Any(one => one.SpecialType == SpecialType.System_Collections_IEnumerable));

    // Types that have no members in documents. For other types this is not known.
    private static bool IsLeaf(ITypeSymbol? type) => type is null || type.TypeKind is TypeKind.Enum or TypeKind.Dynamic or TypeKind.TypeParameter
        || type.SpecialType is >= SpecialType.System_Boolean and <= SpecialType.System_UIntPtr or SpecialType.System_DateTime
        || (type.ContainingNamespace?.ToDisplayString() == "System" && type.Name != "Object" && !type.Name.Contains("Tuple"));
}
