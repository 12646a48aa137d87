using Jackdaw.Indexing.Definitions.Calls;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Gives the methods of sequences elements of one type: those of a function with a declared parameter, or values when only some are values.</summary>
/// <param name="part">The text.</param>
/// <param name="model">The semantic model of the file with the rewritten text.</param>
internal sealed class SequenceRepair(DefinitionText part, SemanticModel model) : TextRepair(part, model)
{
    public bool TryRepair(InvocationExpressionSyntax call, MemberAccessExpressionSyntax member)
    {
        ITypeSymbol? receiver = TypeOf(member.Expression);
        bool isOfValues = IsValue(receiver) || IsValue(ElementOf(receiver));
        string name = member.Name.Identifier.ValueText;
        ArgumentSyntax[] functions = [.. call.ArgumentList.Arguments.Where(one => IsFunction(one.Expression))];
        if (isOfValues && TryCallMethods(call))
        {
            return true;
        }

        if (isOfValues && call.ArgumentList.Arguments.Select(one => ComparedOf(one.Expression)).FirstOrDefault(type => type is not null) is { } compared)
        {
            return name switch
            {
                _ when functions.Length == 0 => TryCastElements(call, member, compared),
                "ExceptBy" or "IntersectBy" => TryCastOtherKeys(call, member, functions[..1], compared),
                _ => TryCastKeys(functions[..(name.EndsWith("Join", StringComparison.Ordinal) ? 2 : 1)], compared) || TryMakeSequences(call, member),
            };
        }

        if (functions.Length == 0)
        {
            return ElementOf(receiver) is { } element ? TryMix(call, member, element)
                : IsValue(receiver) && !HasOwn(call) && IsOfSequences(call, name) && TryMakeSequences(call, member);
        }

        if (!isOfValues)
        {
            return false;
        }

        return functions.Select(one => ParameterOf(one.Expression)).FirstOrDefault(type => type is not null && !IsValue(type)) is { } declared
            ? TryMakeList(member.Expression, declared)
            : IsValue(receiver) && IsOfSequences(call, name) ? TryMakeSequences(call, member)
            : CallTable.TakesFunction(name) && TryWrap(member.Expression, "__Sequences.ToList(", ")");
    }

    /// <summary>Writes a function for the name of a method: C# finds no conversion from a value to what the method takes.</summary>
    private bool TryCallMethods(InvocationExpressionSyntax call)
    {
        bool isRepaired = false;
        foreach (ExpressionSyntax method in call.ArgumentList.Arguments.Select(one => one.Expression)
            .Where(one => one is MemberAccessExpressionSyntax or IdentifierNameSyntax && Model.GetMemberGroup(one).Length > 0))
        {
            isRepaired |= TryWrap(method, "__item => ", "(__item)");
        }

        return isRepaired;
    }

    /// <summary>The keys become what the comparer compares.</summary>
    private bool TryCastKeys(ArgumentSyntax[] functions, ITypeSymbol compared)
    {
        bool isRepaired = false;
        foreach (ExpressionSyntax body in functions.Select(one => (Inner(one.Expression) as LambdaExpressionSyntax)?.ExpressionBody)
            .OfType<ExpressionSyntax>().Where(body => !SymbolEqualityComparer.Default.Equals(TypeOf(body), compared)))
        {
            isRepaired |= TryWrap(body, $"(({NameOf(compared)})(", "))");
        }

        return isRepaired;
    }

    /// <summary>The keys become what the comparer compares, and so does the sequence of other keys.</summary>
    private bool TryCastOtherKeys(InvocationExpressionSyntax call, MemberAccessExpressionSyntax member, ArgumentSyntax[] functions, ITypeSymbol compared)
    {
        ExpressionSyntax others = call.ArgumentList.Arguments[0].Expression;
        bool areValues = IsValue(TypeOf(others)) || IsValue(ElementOf(TypeOf(others)));
        return TryCastKeys(functions, compared)
            | (areValues && TryMakeList(others, compared))
            | (IsValue(TypeOf(member.Expression)) && TryWrap(member.Expression, GeneratedNames.AsValues + "(", ")"));
    }

    /// <summary>The elements become what the comparer compares, and so do other sequences and values.</summary>
    private bool TryCastElements(InvocationExpressionSyntax call, MemberAccessExpressionSyntax member, ITypeSymbol compared)
    {
        bool isRepaired = TryMakeList(member.Expression, compared);
        SeparatedSyntaxList<ArgumentSyntax> arguments = call.ArgumentList.Arguments;
        IMethodSymbol[] methods = [.. Methods(member.Name.Identifier.ValueText).Where(method => method.Parameters.Length == arguments.Count + 1)];
        IMethodSymbol? ofList = Model.Compilation.GetTypeByMetadataName("System.Collections.Generic.List`1")!.GetMembers(member.Name.Identifier.ValueText)
            .OfType<IMethodSymbol>().FirstOrDefault(method => method.Parameters.Length == arguments.Count);
        for (int i = 0; i < arguments.Count; i++)
        {
            string cast = ofList?.Parameters[i].Type.SpecialType == SpecialType.System_Int32 ? "int" : NameOf(compared);
            ExpressionSyntax argument = arguments[i].Expression;
            bool isSequence = IsValue(ElementOf(TypeOf(argument)))
                || (IsValue(TypeOf(argument)) && methods.Any(method => method.Parameters[i + 1].Type.Name == "IEnumerable"));
            isRepaired |= isSequence ? TryMakeList(argument, compared)
                : IsValue(TypeOf(argument)) && TryWrap(argument, $"(({cast})(", "))");
        }

        return isRepaired;
    }

    private bool TryMakeList(ExpressionSyntax sequence, ITypeSymbol element) =>
        TryWrap(sequence, $"{GeneratedNames.Convert}.To<List<{NameOf(element)}>>(", ")");

    /// <summary>Whether only sequences have this method: a value has none with this name, or with other parameters.</summary>
    private bool IsOfSequences(InvocationExpressionSyntax call, string name) =>
        !CallTable.FindOfValues(name).Any(method => method.Takes(call.ArgumentList.Arguments.Count))
        && Methods(name).Any();

    private IEnumerable<IMethodSymbol> Methods(string name) =>
        Model.Compilation.GetTypeByMetadataName("Jackdaw.Indexing.Definitions.Functions.SequenceFunctions")!.GetMembers(name).OfType<IMethodSymbol>();

    /// <summary>Whether values have the method themselves, so that only an argument lacks a cast.</summary>
    private bool HasOwn(InvocationExpressionSyntax call) => Model.GetSymbolInfo(call).CandidateSymbols.OfType<IMethodSymbol>().Any(method =>
        method.ReducedFrom is { } whole && IsValue(whole.Parameters[0].Type) && method.Parameters.Length == call.ArgumentList.Arguments.Count
        && (method.Parameters.All(one => one.Type.TypeKind != TypeKind.Delegate) || call.ArgumentList.Arguments.Any(one => IsFunction(one.Expression))));

    private bool TryMakeSequences(InvocationExpressionSyntax call, MemberAccessExpressionSyntax member)
    {
        bool isRepaired = TryWrap(member.Expression, GeneratedNames.AsValues + "(", ")");
        SeparatedSyntaxList<ArgumentSyntax> arguments = call.ArgumentList.Arguments;
        IMethodSymbol[] methods = [.. Methods(member.Name.Identifier.ValueText).Where(method => method.Parameters.Length == arguments.Count + 1
            && method.Parameters.Skip(1).Zip(arguments).All(pair => pair.First.Type.TypeKind == TypeKind.Delegate == IsFunction(pair.Second.Expression)))];
        for (int i = 0; i < arguments.Count; i++)
        {
            ITypeSymbol? given = TypeOf(arguments[i].Expression);
            bool isSequence = IsValue(given)
                ? methods.Length > 0 && methods.All(method => method.Parameters[i + 1].Type.Name == "IEnumerable")
                : ElementOf(given) is { } element && !IsValue(element);
            isRepaired |= isSequence && TryWrap(arguments[i].Expression, GeneratedNames.AsValues + "(", ")");
        }

        return isRepaired;
    }

    private static bool IsFunction(ExpressionSyntax expression) => Inner(expression) is LambdaExpressionSyntax
        or CastExpressionSyntax { Type: GenericNameSyntax { Identifier.ValueText: "Func" or "Predicate" } };

    /// <summary>The type that a function declares for its first parameter; null when it declares none.</summary>
    private ITypeSymbol? ParameterOf(ExpressionSyntax expression) => Inner(expression) switch
    {
        ParenthesizedLambdaExpressionSyntax { ParameterList.Parameters: [{ Type: { } type }, ..] } => TypeOf(type),
        CastExpressionSyntax { Type: GenericNameSyntax { TypeArgumentList.Arguments: [var first, _, ..] } } => TypeOf(first),
        _ => null,
    };

    /// <summary>What a comparer compares, when it compares no values.</summary>
    private ITypeSymbol? ComparedOf(ExpressionSyntax expression) => TypeOf(expression) is { } type
        ? type.AllInterfaces.Add(type as INamedTypeSymbol ?? type.AllInterfaces.FirstOrDefault()!)
            .FirstOrDefault(one => one is { Name: "IEqualityComparer" or "IComparer", IsGenericType: true } && !IsValue(one.TypeArguments[0]))?.TypeArguments[0]
        : null;

    private static ExpressionSyntax Inner(ExpressionSyntax expression) =>
        expression is ParenthesizedExpressionSyntax { Expression: var inner } ? Inner(inner) : expression;

    private bool TryMix(InvocationExpressionSyntax call, MemberAccessExpressionSyntax member, ITypeSymbol element)
    {
        ExpressionSyntax[] others = [.. call.ArgumentList.Arguments.Select(one => one.Expression).Where(one => ElementOf(TypeOf(one)) is not null)];
        bool isMixed = others.Any(one => IsValue(ElementOf(TypeOf(one))) != IsValue(element));
        bool isRepaired = false;
        foreach (ExpressionSyntax sequence in isMixed ? others.Prepend(member.Expression) : [])
        {
            isRepaired |= !IsValue(ElementOf(TypeOf(sequence))) && TryWrap(sequence, GeneratedNames.AsValues + "(", ")");
        }

        return isRepaired;
    }
}
