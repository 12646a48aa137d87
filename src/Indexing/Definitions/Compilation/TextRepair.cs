using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Changes of a text that an error of the compiler asks for. They stand in positions of the user's text, because each attempt rewrites it.</summary>
/// <param name="part">The text.</param>
/// <param name="model">The semantic model of the file with the rewritten text.</param>
internal abstract class TextRepair(DefinitionText part, SemanticModel model)
{
    protected DefinitionText Part => part;

    protected SemanticModel Model => model;

    /// <summary>The type, without the '?' of types that can be null.</summary>
    protected static ITypeSymbol? Plain(ITypeSymbol? type) =>
        type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable ? nullable.TypeArguments[0] : type;

    protected static bool IsValue(ITypeSymbol? type) => type is { Name: "Value", ContainingNamespace.Name: "Values" };

    /// <summary>The type of the elements of an IEnumerable; null for other types.</summary>
    protected static ITypeSymbol? ElementOf(ITypeSymbol? type) => type switch
    {
        IArrayTypeSymbol array => array.ElementType,
        INamedTypeSymbol { IsGenericType: true, Name: "IEnumerable" } sequence => sequence.TypeArguments[0],
        _ when type?.SpecialType == SpecialType.System_String => null,
        _ => type?.AllInterfaces.FirstOrDefault(one => one.OriginalDefinition.SpecialType == SpecialType.System_Collections_Generic_IEnumerable_T)
            ?.TypeArguments[0],
    };

    protected ITypeSymbol? TypeOf(ExpressionSyntax expression) => model.GetTypeInfo(expression).Type;

    protected static string NameOf(ITypeSymbol type) => type.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat);

    protected TextSpan Original(TextSpan span)
    {
        int start = part.Edits.Original(span.Start - part.GeneratedStart);
        return TextSpan.FromBounds(start, Math.Max(start, part.Edits.Original(span.End - part.GeneratedStart)));
    }

    protected bool TryWrap(ExpressionSyntax expression, string before, string after)
    {
        TextSpan span = Original(expression.Span);
        return !span.IsEmpty && TryAdd($"{span} {before}", edits => edits.Around(span, before, after));
    }

    /// <summary>Adds a repair.</summary>
    /// <returns>False when the text had it already, and still has the error.</returns>
    protected bool TryAdd(string key, Action<TextEdits> repair)
    {
        if (part.NewRepairKeys.Contains(key))
        {
            return true;
        }

        if (!part.RepairKeys.Add(key))
        {
            return false;
        }

        part.NewRepairKeys.Add(key);
        part.Repairs.Add(repair);
        return true;
    }
}
