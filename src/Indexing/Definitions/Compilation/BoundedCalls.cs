using Microsoft.CodeAnalysis;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Methods of the base library that make a large text from small arguments, read clock or time zone, or need ICU, and our
/// replacement of each.</summary>
internal static class BoundedCalls
{
    /// <summary>The name of the method to call instead; null when the method may be called as it is.</summary>
    public static string? Replacement(IMethodSymbol method)
    {
        IMethodSymbol original = method.OriginalDefinition;
        return original.ContainingType is { } type && type.ContainingNamespace?.ToDisplayString() is { } space
            ? (space + "." + type.Name) switch
            {
                "System.String" => OfString(original),
                "System.Text.StringBuilder" => OfBuilder(original),
                "System.DateTime" when original.Name is "Parse" or "ParseExact" or "TryParse" => original.Name,
                _ => null,
            }
            : null;
    }

    private static string? OfString(IMethodSymbol method) => method.Name switch
    {
        "Normalize" or "IsNormalized" or "Replace" or "PadLeft" or "PadRight" or "Insert" or "Format" or "Join" or "Concat" => method.Name + "Bounded",
        _ => null,
    };

    private static string? OfBuilder(IMethodSymbol method) => method.Name switch
    {
        "Append" when method.Parameters is [{ Type.SpecialType: SpecialType.System_Char }, _]
            || method.Parameters is [{ Type.SpecialType: SpecialType.System_String }]
            || method.Parameters is [{ Type.Name: "StringBuilder" }] => "AppendBounded",
        "AppendLine" when method.Parameters is [{ Type.SpecialType: SpecialType.System_String }] =>
            "AppendLineBounded",
        "Insert" when method.Parameters is [_, { Type.SpecialType: SpecialType.System_String }, ..] => "InsertBounded",
        "Replace" when method.Parameters is [{ Type.SpecialType: SpecialType.System_String }, _] => "ReplaceBounded",
        "AppendFormat" or "AppendJoin" => method.Name + "Bounded",
        _ => null,
    };
}
