using Jackdaw.Indexing.Definitions.Library;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Checks what the expressions of the user are bound to. It finds the place of what the gate will refuse, and
/// replaces calls that make large texts from small arguments by bounded calls.</summary>
/// <param name="part">The text.</param>
/// <param name="model">The semantic model of the file with the rewritten text.</param>
/// <param name="library">What the text may name.</param>
/// <param name="calls">Gets the late calls.</param>
internal sealed class SymbolCheck(DefinitionText part, SemanticModel model, CodeLibrary library, CallSites calls)
{
    /// <summary>Types whose <c>ToString(format)</c> is checked, besides enums.</summary>
    private static readonly HashSet<SpecialType> s_formatted =
    [
        SpecialType.System_SByte, SpecialType.System_Byte, SpecialType.System_Int16, SpecialType.System_UInt16,
        SpecialType.System_Int32, SpecialType.System_UInt32, SpecialType.System_Int64, SpecialType.System_UInt64,
        SpecialType.System_Single, SpecialType.System_Double, SpecialType.System_Decimal, SpecialType.System_DateTime,
    ];

    private bool _hasRepairs;

    /// <summary>Checks all expressions of the text.</summary>
    /// <returns>True when repairs were added: the text must be bound again.</returns>
    /// <exception cref="PartFault">Something is not allowed.</exception>
    public bool Run(SyntaxNode root)
    {
        int end = part.GeneratedStart + part.Rewritten.Length;
        foreach (SyntaxNode node in root.DescendantNodes())
        {
            if (node.SpanStart < part.GeneratedStart || node.Span.End > end)
            {
                continue;
            }

            switch (node)
            {
                case ExpressionSyntax expression:
                    CheckExpression(expression);
                    break;
                case SelectOrGroupClauseSyntax or QueryClauseSyntax:
                    CheckSymbol(node, model.GetSymbolInfo(node).Symbol);
                    break;
            }
        }

        return _hasRepairs;
    }

    private void CheckExpression(ExpressionSyntax node)
    {
        ISymbol? symbol = model.GetSymbolInfo(node).Symbol;
        switch (node)
        {
            case InvocationExpressionSyntax call when symbol is IMethodSymbol method:
                CheckCall(call, method);
                break;
            case ObjectCreationExpressionSyntax made when symbol is IMethodSymbol constructor
                && constructor.ContainingType.SpecialType == SpecialType.System_String:
                RepeatedText(made, constructor);
                return;
            case BaseObjectCreationExpressionSyntax made when symbol is IMethodSymbol { ContainingType: var type } constructor && library.IsForeign(type):
                CheckSizes(made, constructor);
                break;
            case AnonymousObjectCreationExpressionSyntax or TupleExpressionSyntax:
                CheckMembers(node);
                break;
            case LiteralExpressionSyntax literal when literal.IsKind(SyntaxKind.NullLiteralExpression) && IsValueOrNullable(literal):
                _hasRepairs |= new CastRepair(part, model).TryMakeNull(literal);
                break;
            case LambdaExpressionSyntax { ExpressionBody: not null } lambda when !part.IsExpression:
                EnterLambda(lambda, symbol as IMethodSymbol);
                break;
        }

        CheckSymbol(node, symbol);
    }

    private bool IsValueOrNullable(LiteralExpressionSyntax literal) => model.GetTypeInfo(literal).ConvertedType is INamedTypeSymbol type
        && (type.IsGenericType ? type.TypeArguments[0] : type) is { Name: "Value", ContainingNamespace.Name: "Values" }
        && (!type.IsGenericType || type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T);

    private void CheckSymbol(SyntaxNode node, ISymbol? symbol)
    {
        (INamedTypeSymbol? type, string? member) = symbol switch
        {
            IMethodSymbol method => (method.ContainingType, method.MetadataName),
            IPropertySymbol property => (property.ContainingType, "get_" + property.MetadataName),
            IFieldSymbol field => (field.ContainingType, field.MetadataName),
            INamedTypeSymbol named => (named, null),
            _ => (null, null),
        };
        if (type is null || type.IsAnonymousType || type.IsTupleType || type.TypeKind == TypeKind.Error
            || type.ContainingAssembly is null || type.Locations.Any(place => place.IsInSource)
            || (symbol is IMethodSymbol { MethodKind: MethodKind.BuiltinOperator }))
        {
            return;
        }

        string name = MetadataName(type.OriginalDefinition);
        // Iterators that the compiler makes read the id of the thread. The gate allows that, but users may not do it.
        bool isAllowed = library.Allows(name, member) && name != "System.Environment";
        if (!isAllowed && !IsBounded(node, symbol))
        {
            throw Refused(node, name, member);
        }
    }

    private static bool IsBounded(SyntaxNode node, ISymbol? symbol) => symbol is IMethodSymbol method
        && BoundedCalls.Replacement(method) is not null
        && node.AncestorsAndSelf().OfType<InvocationExpressionSyntax>().Any();

    private PartFault Refused(SyntaxNode node, string type, string? member)
    {
        string name = member is null ? type : type + "." + member.Replace("get_", "", StringComparison.Ordinal);
        return new PartFault(Original(node.SpanStart), RefusalTexts.Of(name));
    }

    private void CheckCall(InvocationExpressionSyntax call, IMethodSymbol method)
    {
        if (part.IsExpression && method.MethodKind == MethodKind.DelegateInvoke)
        {
            throw new PartFault(Original(call.SpanStart),
                "A map or reduce must not call a delegate. Move the call to a method in an additional source.");
        }

        if (part.IsExpression && method is { Name: "GetEnumerator", ContainingType.Name: "Value" })
        {
            throw new PartFault(Original(call.SpanStart), RefusalTexts.Of("System.String.GetEnumerator"));
        }

        if (method.Parameters.Any(one => one.Type.SpecialType == SpecialType.System_Object) && BoundedCalls.Replacement(method) is null
            && new CallRepair(part, model, calls).TryChooseLate(call))
        {
            // C# takes the overload for any object, which does not know values.
            _hasRepairs = true;
            return;
        }

        if (BoundedCalls.Replacement(method) is { } name)
        {
            Replace(call, method, name);
        }
        else if (method is { Name: "ToString", Parameters: [{ Type.SpecialType: SpecialType.System_String }, ..] }
            && (s_formatted.Contains(method.ContainingType.SpecialType) || IsFormattedType(method.ContainingType))
            && !HasSmallFormat(call))
        {
            Replace(call, method, "ToStringBounded");
        }
        else if (method is { Name: "ToString", Parameters: [], ContainingType.SpecialType: SpecialType.System_Object }
            && call.Expression is MemberAccessExpressionSyntax { Expression: not BaseExpressionSyntax })
        {
            Replace(call, method, "TextBounded");
        }
    }

    private static bool IsFormattedType(INamedTypeSymbol type) =>
        type.Name is "TimeSpan" or "DateTimeOffset" or "Guid" or "DateOnly" or "TimeOnly"
        && type.ContainingNamespace.Name == "System";

    private static bool HasSmallFormat(InvocationExpressionSyntax call) =>
        call.ArgumentList.Arguments is [{ Expression: LiteralExpressionSyntax { Token.Value: string format } }, ..]
        && format.Length <= Values.Value.FormatLengthMax && !Values.Value.HasLongPrecision(format);

    /// <summary>Calls another method with the same arguments.</summary>
    private void Replace(InvocationExpressionSyntax call, IMethodSymbol method, string name)
    {
        SimpleNameSyntax? called = call.Expression switch
        {
            MemberAccessExpressionSyntax member => member.Name,
            MemberBindingExpressionSyntax binding => binding.Name,
            SimpleNameSyntax simple => simple,
            _ => null,
        };
        if (called is null)
        {
            throw Refused(call, MetadataName(method.ContainingType), method.Name);
        }

        TextSpan span = OriginalSpan(called.Span);
        TextSpan? receiver = method.IsStatic && call.Expression is MemberAccessExpressionSyntax access
            ? OriginalSpan(access.Expression.Span)
            : null;
        string holder = method.ContainingType.Name == "DateTime" ? GeneratedNames.BoundedDates : GeneratedNames.Bounded;
        string text = method.IsStatic && receiver is null ? $"{holder}.{name}" : name;
        Repair($"call {span}", edits =>
        {
            edits.Replace(span, text);
            if (receiver is { } old)
            {
                edits.Replace(old, holder);
            }
        });
    }

    /// <summary>Numbers for constructors of Lucene are often sizes, and nothing bounds the memory that is used inside.</summary>
    private void CheckSizes(BaseObjectCreationExpressionSyntax made, IMethodSymbol constructor)
    {
        SeparatedSyntaxList<ArgumentSyntax> arguments = made.ArgumentList?.Arguments ?? default;
        for (int i = 0; i < arguments.Count; i++)
        {
            bool isNumber = arguments[i].NameColon is not null
                || (i < constructor.Parameters.Length && constructor.Parameters[i].Type.SpecialType == SpecialType.System_Int32);
            if (isNumber && model.GetTypeInfo(arguments[i].Expression).Type?.SpecialType == SpecialType.System_Int32
                && model.GetConstantValue(arguments[i].Expression) is not { Value: >= -1 and <= CodeLibrary.SizeMax })
            {
                throw new PartFault(Original(arguments[i].SpanStart),
                    $"A number for '{constructor.ContainingType.Name}' must be a constant from -1 to {CodeLibrary.SizeMax}.");
            }
        }
    }

    private void RepeatedText(ObjectCreationExpressionSyntax made, IMethodSymbol constructor)
    {
        if (constructor.Parameters is [{ Type.SpecialType: SpecialType.System_Char } or { Type: IArrayTypeSymbol }, ..])
        {
            TextSpan span = OriginalSpan(TextSpan.FromBounds(made.NewKeyword.SpanStart, made.Type.Span.End));
            Repair($"new {span}", edits => edits.Replace(span, GeneratedNames.Bounded + ".RepeatBounded"));
        }
        else
        {
            throw new PartFault(Original(made.SpanStart),
                "Make texts with new string(character, count), string.Concat or StringBuilder.");
        }
    }

    /// <summary>The text, equality and hash of such an object use those of its members. When objects are nested in a loop, they would
    /// overflow the stack, outside of all code that checks it.</summary>
    private void CheckMembers(ExpressionSyntax node)
    {
        if (part.IsExpression || model.GetTypeInfo(node).Type is not INamedTypeSymbol type)
        {
            return;
        }

        IEnumerable<ITypeSymbol> members = type.IsTupleType
            ? type.TupleElements.Select(element => element.Type)
            : type.GetMembers().OfType<IPropertySymbol>().Select(property => property.Type);
        if (members.Any(member => member.SpecialType is SpecialType.System_Object or SpecialType.System_ValueType))
        {
            throw new PartFault(Original(node.SpanStart), "A member of an anonymous object or a tuple must not have the " +
                "type object. Give it its type, or declare a class.");
        }
    }

    /// <summary>A lambda without a result has no expression into which a check of the stack fits.</summary>
    private void EnterLambda(LambdaExpressionSyntax lambda, IMethodSymbol? symbol)
    {
        if (symbol is null || lambda.ExpressionBody is not { } body
            || body.ToString().StartsWith("(" + GeneratedNames.Budget + ".Entered()", StringComparison.Ordinal))
        {
            return;
        }

        TextSpan span = OriginalSpan(body.Span);
        int length = span.Length + 1;
        string enter = symbol.ReturnsVoid || body is ThrowExpressionSyntax
            ? $"{{ {GeneratedNames.Budget}.Enter(); "
            : $"{{ {GeneratedNames.Budget}.Enter(); return ";
        Repair($"lambda {span}", edits =>
        {
            edits.Before(span.Start, enter, length);
            edits.After(span.End, "; }", length);
        });
    }

    private void Repair(string key, Action<TextEdits> repair)
    {
        if (part.RepairKeys.Add(key))
        {
            part.Repairs.Add(repair);
            _hasRepairs = true;
        }
    }

    private int Original(int position) => part.Edits.Original(position - part.GeneratedStart);

    private TextSpan OriginalSpan(TextSpan span)
    {
        int start = Original(span.Start);
        return TextSpan.FromBounds(start, Math.Max(start, Original(span.End)));
    }

    private static string MetadataName(INamedTypeSymbol type)
    {
        string name = type.MetadataName;
        INamedTypeSymbol outer = type;
        while (outer.ContainingType is { } containing)
        {
            name = containing.MetadataName + "/" + name;
            outer = containing;
        }

        return outer.ContainingNamespace.ToDisplayString() + "." + name;
    }
}
