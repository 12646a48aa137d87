using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Adds missing casts between values and types of .NET, because users write definitions as if everything were
/// dynamic.</summary>
/// <param name="part">The text.</param>
/// <param name="model">The semantic model of the file with the rewritten text.</param>
internal sealed class CastRepair(DefinitionText part, SemanticModel model)
{
    /// <summary>Errors for conversions that are not implicit: of arguments, assignments, results of lambdas, initializers and
    /// choices.</summary>
    private static readonly HashSet<string> s_codes =
        ["CS1503", "CS0029", "CS0266", "CS1950", "CS1662", "CS0173", "CS0411"];

    /// <summary>Adds a repair for an error of the compiler, if there is one.</summary>
    public bool TryRepair(Diagnostic error)
    {
        if (!s_codes.Contains(error.Id))
        {
            return false;
        }

        SyntaxNode node = model.SyntaxTree.GetRoot().FindNode(error.Location.SourceSpan, getInnermostNodeForTie: true);
        if (node is ArgumentSyntax argument)
        {
            node = argument.Expression;
        }

        return node is ConditionalExpressionSyntax choice && error.Id == "CS0173"
            ? TryMakeValue(choice.WhenTrue) | TryMakeValue(choice.WhenFalse)
            : node is ExpressionSyntax expression && TryCast(expression);
    }

    private bool TryMakeValue(ExpressionSyntax branch) =>
        !IsValue(model.GetTypeInfo(branch).Type) && TryWrap(branch, GeneratedNames.ToValue + "(", ")");

    private bool TryCast(ExpressionSyntax expression)
    {
        bool isValue = IsValue(model.GetTypeInfo(expression).Type);
        ITypeSymbol? wanted = WantedType(expression);
        if (wanted is null or ITypeParameterSymbol || wanted.TypeKind == TypeKind.Error)
        {
            return false;
        }

        if (IsValue(wanted))
        {
            return !isValue && TryWrap(expression, GeneratedNames.ToValue + "(", ")");
        }

        if (!isValue)
        {
            return false;
        }

        return wanted.Name == "IEnumerable"
            ? TryWrap(expression, GeneratedNames.AsValues + "(", ")")
            : TryWrap(expression,
                $"(({wanted.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat)})(", "))");
    }

    private ITypeSymbol? WantedType(ExpressionSyntax expression)
    {
        switch (expression.Parent)
        {
            case ArgumentSyntax { Parent: BaseArgumentListSyntax { Parent: { } call } list } argument:
                SymbolInfo info = model.GetSymbolInfo(call);
                int position = list.Arguments.IndexOf(argument);
                IMethodSymbol? method = info.CandidateSymbols.Append(info.Symbol).OfType<IMethodSymbol>()
                    .FirstOrDefault(candidate => candidate.Parameters.Length > position);
                return argument.NameColon is { } named
                    ? method?.Parameters.FirstOrDefault(p => p.Name == named.Name.Identifier.ValueText)?.Type
                    : method?.Parameters[position].Type;
            case InitializerExpressionSyntax:
                return Microsoft.CodeAnalysis.CSharp.CSharpExtensions.GetCollectionInitializerSymbolInfo(model, expression)
                    .CandidateSymbols.OfType<IMethodSymbol>()
                    .FirstOrDefault()?.Parameters[0].Type ?? model.GetTypeInfo(expression).ConvertedType;
            default:
                return model.GetTypeInfo(expression).ConvertedType;
        }
    }

    private bool TryWrap(ExpressionSyntax expression, string before, string after)
    {
        int start = part.Edits.Original(expression.SpanStart - part.GeneratedStart);
        int end = part.Edits.Original(expression.Span.End - part.GeneratedStart);
        if (end <= start || !part.RepairKeys.Add($"{start}-{end} {before}"))
        {
            return false;
        }

        part.Repairs.Add(edits =>
        {
            edits.Before(start, before, isInnermost: true);
            edits.After(end, after, isInnermost: true);
        });
        return true;
    }

    private static bool IsValue(ITypeSymbol? type) =>
        type is { Name: "Value", ContainingNamespace.Name: "Values" };
}
