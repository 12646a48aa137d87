using System.Collections.Immutable;
using Jackdaw.Client.Serialization.Classes;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Jackdaw.Client.Analyzers;

/// <summary>JD0004: objects of a class that could not be read back from a document.</summary>
/// <remarks>The client finds more when an object is stored, since it sees the serializer's options. What is found here is refused there, too.</remarks>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class DocumentClassAnalyzer : DiagnosticAnalyzer
{
    private static readonly HashSet<string> s_storing = new(StringComparer.Ordinal) { "Store", "StoreAsync" };

    private static readonly HashSet<string> s_storingTypes = new(StringComparer.Ordinal) { "IDocumentSession", "IAsyncDocumentSession", "BulkInsertOperation" };

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(Rules.UnreadableClass);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterOperationAction(Analyze, OperationKind.Invocation);
    }

    private static void Analyze(OperationAnalysisContext context)
    {
        var call = (IInvocationOperation)context.Operation;
        if (s_storing.Contains(call.TargetMethod.Name) && s_storingTypes.Contains(call.TargetMethod.ContainingType.Name)
            && FieldPaths.IsOfClient(call.TargetMethod) && Shapes.Argument(call, 0) is { } argument
            && Shapes.Strip(argument).Type is INamedTypeSymbol { TypeKind: TypeKind.Class or TypeKind.Struct } type
            && Refusal(type, type.Name, new HashSet<ITypeSymbol>(SymbolEqualityComparer.Default)) is { } refusal)
        {
            context.ReportDiagnostic(Diagnostic.Create(Rules.UnreadableClass, argument.Syntax.GetLocation(), refusal));
        }
    }

    private static string? Refusal(ITypeSymbol type, string path, HashSet<ITypeSymbol> seen)
    {
        if (Shapes.Plain(type) is not INamedTypeSymbol named || named.SpecialType != SpecialType.None || !seen.Add(named)
            || Has(named, "JsonConverterAttribute"))
        {
            return type is IArrayTypeSymbol array ? Refusal(array.ElementType, path + "[]", seen) : null;
        }

        if (IsOfSystem(named))
        {
            // Elements of lists and dictionaries.
            return named.TypeArguments.Length > 0 && named.AllInterfaces.Any(one => one.SpecialType == SpecialType.System_Collections_IEnumerable)
                ? Refusal(named.TypeArguments[named.TypeArguments.Length - 1], path + "[]", seen) : null;
        }

        if (named.TypeKind == TypeKind.Interface)
        {
            // A collection of the program's own.
            bool isCollection = named.AllInterfaces.Any(one => one.SpecialType == SpecialType.System_Collections_IEnumerable);
            return isCollection || Has(named, "JsonDerivedTypeAttribute") ? null : ClassRefusals.Abstract(path, named.Name, isInterface: true);
        }

        // An abstract class may have derived classes anywhere in its assembly.
        return named.IsAbstract || named.TypeKind is not (TypeKind.Class or TypeKind.Struct) ? null
            : named.TypeKind == TypeKind.Class && !CanBeMade(named) ? ClassRefusals.Constructor(path, named.Name)
            : RefusalOfMembers(named, path, seen);
    }

    private static string? RefusalOfMembers(INamedTypeSymbol type, string path, HashSet<ITypeSymbol> seen)
    {
        foreach (IPropertySymbol property in Members(type))
        {
            if (!Has(property, "JsonIgnoreAttribute") && !Has(property, "JsonConverterAttribute") && IsStored(property)
                && Refusal(property.Type, $"{path}.{property.Name}", seen) is { } refusal)
            {
                return refusal;
            }
        }

        return null;
    }

    // Computed members are written and not read.
    private static bool IsStored(IPropertySymbol property) => property.SetMethod is not null
        || property.ContainingType.GetMembers().OfType<IFieldSymbol>().Any(field => SymbolEqualityComparer.Default.Equals(field.AssociatedSymbol, property));

    private static bool CanBeMade(INamedTypeSymbol type) => type.InstanceConstructors.Any(constructor =>
        Has(constructor, "JsonConstructorAttribute") || constructor.Parameters.All(parameter => parameter.HasExplicitDefaultValue
            || Members(type).Any(member => string.Equals(member.Name, parameter.Name, StringComparison.OrdinalIgnoreCase))))
        || type.AllInterfaces.Any(one => one.SpecialType == SpecialType.System_Collections_IEnumerable);

    private static IEnumerable<IPropertySymbol> Members(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? declaring = type; declaring is not null && declaring.SpecialType == SpecialType.None; declaring = declaring.BaseType)
        {
            foreach (IPropertySymbol property in declaring.GetMembers().OfType<IPropertySymbol>())
            {
                if (property is { IsStatic: false, IsIndexer: false, DeclaredAccessibility: Accessibility.Public })
                {
                    yield return property;
                }
            }
        }
    }

    private static bool Has(ISymbol symbol, string attribute) => symbol.GetAttributes().Any(one => one.AttributeClass?.Name == attribute);

    private static bool IsOfSystem(INamedTypeSymbol type)
    {
        string space = type.ContainingNamespace?.ToDisplayString() ?? "";
        return space == "System" || space.StartsWith("System.", StringComparison.Ordinal);
    }
}
