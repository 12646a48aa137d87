using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;
using CSharpExtensions = Microsoft.CodeAnalysis.CSharp.CSharpExtensions;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Adds missing casts between values and types of .NET, because users write definitions as if everything were
/// dynamic.</summary>
/// <param name="part">The text.</param>
/// <param name="model">The semantic model of the file with the rewritten text.</param>
internal sealed class CastRepair(DefinitionText part, SemanticModel model) : TextRepair(part, model)
{
    /// <summary>Errors for conversions that are not implicit: of arguments, assignments, results of lambdas, initializers and
    /// choices.</summary>
    private static readonly HashSet<string> s_codes =
        ["CS1503", "CS0029", "CS0266", "CS1950", "CS1662", "CS0173", "CS0411", "CS0030", "CS0019", "CS0037", "CS0034", "CS0457"];

    /// <summary>Adds a repair for an error of the compiler, if there is one.</summary>
    public bool TryRepair(Diagnostic error)
    {
        if (!s_codes.Contains(error.Id))
        {
            return false;
        }

        SyntaxNode node = Model.SyntaxTree.GetRoot().FindNode(error.Location.SourceSpan, getInnermostNodeForTie: true);
        if (node is ArgumentSyntax argument)
        {
            node = argument.Expression;
        }

        return node switch
        {
            LiteralExpressionSyntax literal when literal.IsKind(SyntaxKind.NullLiteralExpression) => TryMakeNull(literal),
            BinaryExpressionSyntax { Right: LiteralExpressionSyntax right } when right.IsKind(SyntaxKind.NullLiteralExpression) => TryMakeNull(right),
            BinaryExpressionSyntax { Left: LiteralExpressionSyntax left } when left.IsKind(SyntaxKind.NullLiteralExpression) => TryMakeNull(left),
            ConditionalExpressionSyntax choice when error.Id == "CS0173" => TryMakeValue(choice.WhenTrue) | TryMakeValue(choice.WhenFalse),
            BinaryExpressionSyntax both when error.Id == "CS0019" => TryMakeValues(both),
            CastExpressionSyntax cast when error.Id == "CS0030" => TryConvert(cast),
            InitializerExpressionSyntax { Expressions: var elements } initializer when error.Id == "CS1950" => TryCastElements(initializer, elements),
            ExpressionSyntax expression => TryCast(expression),
            _ => false,
        };
    }

    /// <summary>The null of a value, in additional sources, where null is that of C#.</summary>
    public bool TryMakeNull(LiteralExpressionSyntax literal)
    {
        TextSpan span = Original(literal.Span);
        return TryAdd($"{span} null", edits => edits.Replace(span, GeneratedNames.Value + ".Null"));
    }

    private bool TryMakeValue(ExpressionSyntax branch) =>
        !IsValue(TypeOf(branch)) && TryWrap(branch, GeneratedNames.ToValue + "(", ")");

    /// <summary>An operator between a value and something else is that of values.</summary>
    private bool TryMakeValues(BinaryExpressionSyntax both) => (IsValue(TypeOf(both.Left)) || IsValue(TypeOf(both.Right)))
        && (TryMakeValue(both.Left) | TryMakeValue(both.Right));

    /// <summary>A cast that no operator makes, such as one to a list of texts.</summary>
    private bool TryConvert(CastExpressionSyntax cast)
    {
        ITypeSymbol? wanted = TypeOf(cast.Type);
        ITypeSymbol? given = TypeOf(cast.Expression);
        if (wanted is null || IsOfDefinition(wanted) || (!IsValue(given) && !IsValue(ElementOf(given))))
        {
            return false;
        }

        TextSpan beginning = Original(TextSpan.FromBounds(cast.SpanStart, cast.CloseParenToken.Span.End));
        TextSpan whole = Original(cast.Span);
        return TryAdd($"{whole} cast", edits =>
        {
            edits.Replace(beginning, $"{GeneratedNames.Convert}.To<{NameOf(wanted)}>(");
            edits.After(whole.End, ")", whole.Length);
        });
    }

    private static bool IsOfDefinition(ITypeSymbol type) => type.Locations.Any(place => place.IsInSource)
        || (type is INamedTypeSymbol named && named.TypeArguments.Any(IsOfDefinition))
        || (type is IArrayTypeSymbol array && IsOfDefinition(array.ElementType));

    private bool TryCastElements(InitializerExpressionSyntax initializer, SeparatedSyntaxList<ExpressionSyntax> elements)
    {
        IMethodSymbol? add = CSharpExtensions.GetCollectionInitializerSymbolInfo(Model, initializer)
            .CandidateSymbols.OfType<IMethodSymbol>().FirstOrDefault(method => method.Parameters.Length == elements.Count);
        bool isRepaired = false;
        for (int i = 0; i < elements.Count && add is not null; i++)
        {
            isRepaired |= TryCast(elements[i], add.Parameters[i].Type);
        }

        return isRepaired;
    }

    private bool TryCast(ExpressionSyntax expression) => TryCast(expression, WantedType(expression));

    /// <summary>Casts a value to a type, or makes a value where one is wanted.</summary>
    public bool TryCast(ExpressionSyntax expression, ITypeSymbol? wanted)
    {
        ITypeSymbol? given = TypeOf(expression);
        bool isValue = IsValue(given);
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
            // The null of int? is 0 for an int, as it is for a cast of a value.
            return !SymbolEqualityComparer.Default.Equals(Plain(given), given) && wanted.IsValueType
                && TryWrap(expression, $"(({NameOf(wanted)}){GeneratedNames.ToValue}(", "))");
        }

        return IsValue(ElementOf(wanted)) && wanted.Name == "IEnumerable" ? TryWrap(expression, GeneratedNames.AsValues + "(", ")")
            : wanted is INamedTypeSymbol { IsGenericType: true } && SymbolEqualityComparer.Default.Equals(Plain(wanted), wanted)
                && !IsOfDefinition(wanted) && ElementOf(wanted) is not ITypeParameterSymbol
                ? TryWrap(expression, $"{GeneratedNames.Convert}.To<{NameOf(wanted)}>(", ")")
            : wanted.Name == "IEnumerable" ? TryWrap(expression, GeneratedNames.AsValues + "(", ")")
            : TryWrap(expression, $"(({NameOf(wanted)})(", "))");
    }

    private ITypeSymbol? WantedType(ExpressionSyntax expression)
    {
        switch (expression.Parent)
        {
            case ArgumentSyntax { Parent: BaseArgumentListSyntax { Parent: { } call } list } argument:
                SymbolInfo info = Model.GetSymbolInfo(call);
                int position = list.Arguments.IndexOf(argument);
                ISymbol[] candidates = info.Symbol is null ? [.. info.CandidateSymbols] : [.. info.CandidateSymbols, info.Symbol];
                if (candidates.Length == 0
                    && call is ImplicitElementAccessSyntax { Parent.Parent: InitializerExpressionSyntax { Parent: ExpressionSyntax made } })
                {
                    candidates = [.. TypeOf(made)?.GetMembers().OfType<IPropertySymbol>().Where(one => one.IsIndexer) ?? []];
                }

                return ParameterOf(candidates, list, argument, position)?.Type;
            case InitializerExpressionSyntax:
                return CSharpExtensions.GetCollectionInitializerSymbolInfo(Model, expression)
                    .CandidateSymbols.OfType<IMethodSymbol>()
                    .FirstOrDefault()?.Parameters[0].Type ?? Model.GetTypeInfo(expression).ConvertedType;
            default:
                return Model.GetTypeInfo(expression).ConvertedType;
        }
    }

    /// <summary>A value is what a collection is made of, and no capacity.</summary>
    private static bool TakesCapacity(ISymbol symbol) => symbol is IMethodSymbol
    {
        MethodKind: MethodKind.Constructor, ContainingType.IsGenericType: true, Parameters: [{ Type.SpecialType: SpecialType.System_Int32 }, ..]
    };

    private bool Fits(ExpressionSyntax argument, ITypeSymbol wanted) => TypeOf(argument) is not { } type
        || (IsValue(type)
            ? ElementOf(wanted) is not null || Model.ClassifyConversion(argument, wanted, isExplicitInSource: true).Exists
            : Model.Compilation.ClassifyCommonConversion(type, wanted).Exists);

    /// <summary>The parameter of the first candidate that the other arguments fit.</summary>
    private IParameterSymbol? ParameterOf(ISymbol[] candidates, BaseArgumentListSyntax list, ArgumentSyntax argument, int position)
    {
        var parameters = candidates.Where(symbol => !TakesCapacity(symbol)).Select(symbol => symbol switch
        {
            IMethodSymbol method => method.Parameters,
            IPropertySymbol property => property.Parameters,
            _ => [],
        }).Where(ones => ones.Length > position && !ones.Any(one => one.Type.IsRefLikeType)).ToArray();
        var fitting = parameters.Where(ones => list.Arguments.Count <= ones.Length
            && !list.Arguments.Where((other, i) => other.NameColon is null && !Fits(other.Expression, ones[i].Type)).Any()).ToArray();
        var chosen = fitting.Length > 0 ? fitting[0] : parameters.FirstOrDefault();
        return argument.NameColon is { } named
            ? chosen.IsDefault ? null : chosen.FirstOrDefault(parameter => parameter.Name == named.Name.Identifier.ValueText)
            : chosen.IsDefault ? null : chosen[position];
    }
}
