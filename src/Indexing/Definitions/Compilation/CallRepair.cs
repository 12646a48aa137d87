using Jackdaw.Indexing.Definitions.Calls;
using Jackdaw.Indexing.Definitions.Library;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Makes late calls where C# finds no overload of the base library, because it does not know the types of values.</summary>
/// <param name="part">The text.</param>
/// <param name="model">The semantic model of the file with the rewritten text.</param>
/// <param name="sites">Gets the late calls.</param>
internal sealed class CallRepair(DefinitionText part, SemanticModel model, CallSites sites) : TextRepair(part, model)
{
    /// <summary>Errors of calls: an argument, no overload, no member, two overloads, no extension, a missing argument.</summary>
    private static readonly HashSet<string> s_codes =
        ["CS1503", "CS1501", "CS0117", "CS1061", "CS0121", "CS1929", "CS7036", "CS0411", "CS1729", "CS1739", "CS1661", "CS1678", "CS1593"];

    /// <summary>Classes of ours that stand for classes of the base library in the texts of users.</summary>
    private static readonly Dictionary<string, string> s_replaced = new()
    {
        ["string"] = "System.String",
        ["String"] = "System.String",
        ["Math"] = "System.Math",
        ["Convert"] = "System.Convert",
        ["DateTime"] = "System.DateTime",
        ["DateTimeOffset"] = "System.DateTimeOffset",
        ["TimeSpan"] = "System.TimeSpan",
    };

    /// <summary>Adds a repair for an error of the compiler, if there is one.</summary>
    /// <exception cref="PartFault">The call is of a member that definitions must not use.</exception>
    public bool TryRepair(Diagnostic error)
    {
        if (!s_codes.Contains(error.Id))
        {
            return false;
        }

        SyntaxNode node = Model.SyntaxTree.GetRoot().FindNode(error.Location.SourceSpan, getInnermostNodeForTie: true);
        if (error.Id == "CS0117" && node.FirstAncestorOrSelf<MemberAccessExpressionSyntax>() is { Parent: not InvocationExpressionSyntax } constant)
        {
            return ReplacedName(constant.Expression) is { } type && TryWrapType(constant.Expression, type);
        }

        return FindCall(node) switch
        {
            BaseObjectCreationExpressionSyntax made when TypeOf(made) is { } madeType =>
                TryCall(made, made.ArgumentList, FullName(madeType), CallTable.Constructor, null),
            InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax member } call => TryCall(call, member),
            _ => false,
        };
    }

    /// <summary>Makes a late call of one that C# has bound to a parameter of the type object, and not to that of a value.</summary>
    public bool TryChooseLate(InvocationExpressionSyntax call) => call.Expression is MemberAccessExpressionSyntax member
        && call.ArgumentList.Arguments.Any(one => IsValue(TypeOf(one.Expression))
            && Model.GetTypeInfo(one.Expression).ConvertedType?.SpecialType == SpecialType.System_Object)
        && TryCall(call, member);

    /// <summary>The call to which an error belongs: it stands at an argument, at the name, or at what is before the dot.</summary>
    private static SyntaxNode? FindCall(SyntaxNode node)
    {
        ArgumentSyntax? argument = node as ArgumentSyntax ?? node.Parent as ArgumentSyntax
            ?? (node.Parent is NameColonSyntax ? node.Parent.Parent as ArgumentSyntax : null);
        if (argument is { Parent.Parent: { } call })
        {
            return call;
        }

        if (node.FirstAncestorOrSelf<LambdaExpressionSyntax>() is { Parent: ArgumentSyntax { Parent.Parent: { } outer } } lambda
            && node.SpanStart < (lambda.ExpressionBody?.SpanStart ?? lambda.Block!.SpanStart))
        {
            return outer;
        }

        while (node.Parent is MemberAccessExpressionSyntax or GenericNameSyntax)
        {
            node = node.Parent;
        }

        return node as BaseObjectCreationExpressionSyntax
            ?? (SyntaxNode?)(node.Parent as BaseObjectCreationExpressionSyntax)
            ?? node as InvocationExpressionSyntax ?? node.Parent as InvocationExpressionSyntax;
    }

    private bool TryCall(InvocationExpressionSyntax call, MemberAccessExpressionSyntax member)
    {
        string name = member.Name.Identifier.ValueText;
        if (Model.GetSymbolInfo(member.Expression).Symbol is INamedTypeSymbol type)
        {
            return TryCall(call, call.ArgumentList, ReplacedName(member.Expression) ?? FullName(type), name, null);
        }

        ITypeSymbol? receiver = TypeOf(member.Expression);
        return new SequenceRepair(Part, Model).TryRepair(call, member)
            || (receiver is not null && receiver.TypeKind != TypeKind.Error
                && TryCall(call, call.ArgumentList, IsValue(receiver) ? "" : FullName(Plain(receiver)!), name, member.Expression));
    }

    /// <param name="type">Full name; empty for a value.</param>
    /// <param name="receiver">Null for static methods and constructors.</param>
    private bool TryCall(ExpressionSyntax call, ArgumentListSyntax? list, string type, string member, ExpressionSyntax? receiver)
    {
        SeparatedSyntaxList<ArgumentSyntax> arguments = list?.Arguments ?? default;
        CheckRefused(call, type, member);
        if (list is null || (type.Length > 0 && CallTable.TypeOf(type) is null))
        {
            return false;
        }

        bool isForValues = type.Length == 0 || (receiver is null && IsReplaced(call))
            || arguments.Any(one => TypeOf(one.Expression) is { } given
                && (IsValue(given) || IsValue(ElementOf(given)) || !SymbolEqualityComparer.Default.Equals(Plain(given), given)));
        if (!isForValues || !arguments.All(IsObject) || !HasOverload(type, member, receiver is null, arguments.Count))
        {
            return false;
        }

        IMethodSymbol[] fitting = type.Length == 0 ? [] : Fitting(call, type, member, receiver is null, arguments);
        bool keepsType = !Part.IsExpression || (!IsFaithful(fitting) && call.Parent is MemberAccessExpressionSyntax);
        return fitting.Length == 1 && keepsType
            ? TryCast(arguments, fitting[0])
            : TryCallLate(call, list, type, member, receiver);
    }

    private void CheckRefused(ExpressionSyntax call, string type, string member)
    {
        string? name = CallTable.TypeOf(type) is not null ? type + "." + member
            : RefusedMembers.Instead("System.Linq.Enumerable." + member) is not null ? "System.Linq.Enumerable." + member
            : type.Length > 0 || CallTable.FindOfValues(member).Any() ? null
            : CallTable.RefusedOfValues(member);
        if (name is not null && RefusedMembers.Instead(name) is not null)
        {
            throw new PartFault(Original(call.Span).Start, RefusalTexts.Of(name));
        }
    }

    private static bool HasOverload(string type, string member, bool isStatic, int arguments)
    {
        IEnumerable<CallCandidate> candidates = type.Length == 0 ? CallTable.FindOfValues(member) : CallTable.Find(CallTable.TypeOf(type)!, member, isStatic);
        return candidates.Any(candidate => candidate.Takes(arguments));
    }

    /// <summary>Whether an argument can be an element of an array of objects.</summary>
    private bool IsObject(ArgumentSyntax argument) => argument.RefKindKeyword.IsKind(SyntaxKind.None)
        && TypeOf(argument.Expression) is { IsRefLikeType: false, TypeKind: not (TypeKind.Error or TypeKind.Pointer or TypeKind.Delegate) };

    /// <summary>The overloads that the arguments fit when values are cast.</summary>
    private IMethodSymbol[] Fitting(ExpressionSyntax call, string type, string member, bool isStatic, SeparatedSyntaxList<ArgumentSyntax> arguments)
    {
        bool isConstructor = member == CallTable.Constructor;
        return [.. Model.Compilation.GetTypeByMetadataName(type)!.GetMembers(member).OfType<IMethodSymbol>().Where(method =>
            method.DeclaredAccessibility == Accessibility.Public && (isConstructor || method.IsStatic == isStatic) && !method.IsGenericMethod
            && method.Parameters.Length == arguments.Count && arguments.All(one => one.NameColon is null)
            && !IsReplaced(call)
            && method.Parameters.Zip(arguments).All(pair => Fits(pair.Second.Expression, pair.First.Type)))];
    }

    private bool Fits(ExpressionSyntax argument, ITypeSymbol type) => IsValue(TypeOf(argument))
        ? !type.IsRefLikeType && Model.ClassifyConversion(argument, type, isExplicitInSource: true).IsExplicit
        : Model.ClassifyConversion(argument, type).IsImplicit;

    /// <summary>Whether a value keeps what the methods return: the type of a date without a time, for example, is lost.</summary>
    private static bool IsFaithful(IMethodSymbol[] methods) => methods.All(method =>
        (method.MethodKind == MethodKind.Constructor ? method.ContainingType : method.ReturnType) is { } type
        && (type.SpecialType is SpecialType.System_String or SpecialType.System_DateTime
            or (>= SpecialType.System_Boolean and <= SpecialType.System_Double and not SpecialType.System_Char)
            || type.Name == "TimeSpan"));

    private bool TryCast(SeparatedSyntaxList<ArgumentSyntax> arguments, IMethodSymbol method)
    {
        bool isRepaired = false;
        var casts = new CastRepair(Part, Model);
        for (int i = 0; i < arguments.Count; i++)
        {
            isRepaired |= casts.TryCast(arguments[i].Expression, method.Parameters[i].Type);
        }

        return isRepaired;
    }

    private bool TryCallLate(ExpressionSyntax call, ArgumentListSyntax list, string type, string member, ExpressionSyntax? receiver)
    {
        TextSpan whole = Original(call.Span);
        TextSpan opening = Original(TextSpan.FromBounds(receiver?.Span.End ?? call.SpanStart, list.OpenParenToken.Span.End));
        TextSpan closing = Original(list.CloseParenToken.Span);
        TextSpan[] colons = [.. list.Arguments.Where(one => one.NameColon is not null).Select(one => Original(one.NameColon!.Span))];
        string names = colons.Length == 0 ? "" : string.Join(',', list.Arguments.Select(one => one.NameColon?.Name.Identifier.ValueText ?? ""));
        string beginning = receiver is null ? sites.OfType(type, member, names) : sites.OfObject(type, member, names);
        return TryAdd($"late {whole}", edits =>
        {
            if (receiver is null)
            {
                edits.Replace(opening, beginning);
            }
            else
            {
                edits.Before(whole.Start, beginning, whole.Length);
                edits.Replace(opening, list.Arguments.Count == 0 ? "" : ", ");
            }

            foreach (TextSpan colon in colons)
            {
                edits.Replace(colon, "");
            }

            edits.Replace(closing, " })");
        });
    }

    /// <summary>The class of the base library itself, for a constant that ours does not have.</summary>
    private bool TryWrapType(ExpressionSyntax ours, string type)
    {
        TextSpan span = Original(ours.Span);
        return TryAdd($"type {span}", edits => edits.Replace(span, "global::" + type));
    }

    private static string FullName(ITypeSymbol type) =>
        type.ContainingNamespace is null ? type.Name : type.ContainingNamespace.ToDisplayString() + "." + type.Name;

    private bool IsReplaced(ExpressionSyntax call) =>
        call is InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax member } && ReplacedName(member.Expression) is not null;

    /// <summary>The class of the base library for a class of ours, as the user has named it.</summary>
    private string? ReplacedName(ExpressionSyntax expression)
    {
        if (Model.GetSymbolInfo(expression).Symbol is not INamedTypeSymbol { ContainingNamespace: var space }
            || !space.ToDisplayString().EndsWith(".Functions", StringComparison.Ordinal))
        {
            return null;
        }

        TextSpan span = Original(expression.Span);
        string name = Part.Text[span.Start..span.End].Trim();
        return s_replaced.GetValueOrDefault(name.StartsWith("System.", StringComparison.Ordinal) ? name["System.".Length..] : name);
    }
}
