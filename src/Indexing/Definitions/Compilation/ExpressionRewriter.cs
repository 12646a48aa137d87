using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Changes the text of a map or reduce so that C# binds it to our types: sources, the last select, null, and
/// everything that means something else for values.</summary>
internal sealed partial class ExpressionRewriter(
    TextEdits edits, HashSet<string> memberNames, MapOutline outline, string[] fields) : CSharpSyntaxWalker
{
    private static readonly string[] s_roots = ["docs", "timeSeries", "counters"];

    private int _variables;

    /// <summary>The variables that hold what stands before each '?.'.</summary>
    private readonly Dictionary<ConditionalAccessExpressionSyntax, string> _receivers = [];

    public override void VisitAnonymousObjectCreationExpression(AnonymousObjectCreationExpressionSyntax node)
    {
        if (node == outline.Final && outline.IsDirect)
        {
            FillRow(node);
        }

        base.VisitAnonymousObjectCreationExpression(node);
    }

    public override void VisitMemberAccessExpression(MemberAccessExpressionSyntax node)
    {
        if (IsRoot(node.Expression))
        {
            ReplaceRoot(node);
            return;
        }

        if (node.Parent is not InvocationExpressionSyntax call || call.Expression != node)
        {
            if (node.Name is IdentifierNameSyntax name)
            {
                memberNames.Add(name.Identifier.ValueText);
            }
        }

        if (node.Expression is ThisExpressionSyntax)
        {
            // For clients these functions are methods of the index class, so their texts say 'this.'; here some are static.
            edits.Replace(TextSpan.FromBounds(node.SpanStart, node.Name.SpanStart), "");
            Visit(node.Name);
            return;
        }

        string? shim = Shim(node);
        if (shim is not null)
        {
            edits.Replace(node.Expression.Span, shim);
            return;
        }

        base.VisitMemberAccessExpression(node);
    }

    public override void VisitMemberBindingExpression(MemberBindingExpressionSyntax node)
    {
        if (node.Parent is not InvocationExpressionSyntax)
        {
            memberNames.Add(node.Name.Identifier.ValueText);
        }

        BeginBinding(node);
        base.VisitMemberBindingExpression(node);
    }

    public override void VisitElementBindingExpression(ElementBindingExpressionSyntax node)
    {
        BeginBinding(node);
        base.VisitElementBindingExpression(node);
    }

    public override void VisitElementAccessExpression(ElementAccessExpressionSyntax node)
    {
        if (IsRoot(node.Expression))
        {
            edits.Replace(node.Span, GeneratedNames.Source);
            return;
        }

        base.VisitElementAccessExpression(node);
    }

    public override void VisitInvocationExpression(InvocationExpressionSyntax node)
    {
        if (node.Expression is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "WhereEntityIs" } member
            && IsRoot(member.Expression))
        {
            edits.Replace(node.Span, GeneratedNames.Source);
            return;
        }

        if (node is { Expression: IdentifierNameSyntax { Identifier.ValueText: "nameof" }, ArgumentList.Arguments: [var named] })
        {
            // C# refuses the name of a member that an extension gives.
            edits.Replace(node.Span, $"\"{named.DescendantNodes().OfType<SimpleNameSyntax>().Last().Identifier.ValueText}\"");
            return;
        }

        base.VisitInvocationExpression(node);
    }

    public override void VisitIdentifierName(IdentifierNameSyntax node)
    {
        string name = node.Identifier.ValueText;
        bool isName = node.Parent is MemberAccessExpressionSyntax access && access.Name == node
            || node.Parent is NameEqualsSyntax or NameColonSyntax or MemberBindingExpressionSyntax;
        if (!isName && (name == "results" || s_roots.Contains(name)))
        {
            edits.Replace(node.Span, GeneratedNames.Source);
        }
        else if (name == "dynamic")
        {
            edits.Replace(node.Span, GeneratedNames.Value);
        }
    }

    public override void VisitLiteralExpression(LiteralExpressionSyntax node)
    {
        // Beside an object, null means the null of C#: the map makes no row.
        bool isBesideObject = node.Parent is ConditionalExpressionSyntax choice
            && (IsObject(choice.WhenTrue) || IsObject(choice.WhenFalse));
        if (node.IsKind(SyntaxKind.NullLiteralExpression) && !isBesideObject)
        {
            edits.Replace(node.Span, GeneratedNames.Value + ".Null");
        }
    }

    public override void VisitGenericName(GenericNameSyntax node)
    {
        if (node.Identifier.ValueText is "LoadDocument" or "LoadCompareExchangeValue")
        {
            // Types are not known here, and the name of a type need not be the name of a collection.
            edits.Replace(node.TypeArgumentList.Span, "");
            return;
        }

        base.VisitGenericName(node);
    }

    public override void VisitDeclarationExpression(DeclarationExpressionSyntax node)
    {
        // What the method gives has its own type, or is a value.
        edits.Replace(node.Type.Span, "var");
    }

    public override void VisitCastExpression(CastExpressionSyntax node)
    {
        string type = node.Type.ToString().Replace(" ", "", StringComparison.Ordinal);
        string? replacement = type switch
        {
            "IEnumerable<dynamic>" or "IEnumerable<object>" => GeneratedNames.AsValues + "(",
            "dynamic" or "object" => GeneratedNames.ToValue + "(",
            _ when type.StartsWith("Func<dynamic", StringComparison.Ordinal) => $"({DelegateType(type)})(",
            _ => null,
        };
        if (replacement is null)
        {
            base.VisitCastExpression(node);
            return;
        }

        edits.Replace(TextSpan.FromBounds(node.SpanStart, node.CloseParenToken.Span.End), replacement);
        edits.After(node.Span.End, ")", node.Span.Length);
        Visit(node.Expression);
    }

    /// <summary>Delegates over dynamic return a value, no matter which number type they name, so that sums keep their kind.</summary>
    private static string DelegateType(string type)
    {
        string[] arguments = type["Func<".Length..^1].Split(',');
        if (arguments[^1] is not ("bool" or "string") && !type.Contains("IEnumerable", StringComparison.Ordinal))
        {
            arguments[^1] = GeneratedNames.Value;
        }

        return $"Func<{string.Join(", ", arguments)}>"
            .Replace("dynamic", GeneratedNames.Value, StringComparison.Ordinal);
    }

    /// <summary>The object of the last select is not made: its values are put into the row of the run.</summary>
    private void FillRow(AnonymousObjectCreationExpressionSyntax node)
    {
        edits.Replace(TextSpan.FromBounds(node.NewKeyword.SpanStart, node.OpenBraceToken.Span.End), "BeginRow()");
        for (int i = 0; i < node.Initializers.Count; i++)
        {
            AnonymousObjectMemberDeclaratorSyntax member = node.Initializers[i];
            if (member.NameEquals is not null)
            {
                edits.Replace(member.NameEquals.Span, "");
            }

            int field = Array.IndexOf(fields, outline.Names![i]);
            edits.Before(member.Expression.SpanStart, $".Set({field}, ", node.Span.Length);
            edits.After(member.Expression.Span.End, ")", node.Span.Length);
            if (i < node.Initializers.SeparatorCount)
            {
                edits.Replace(node.Initializers.GetSeparator(i).Span, "");
            }
        }

        edits.Replace(node.CloseBraceToken.Span, "");
    }

    private static bool IsObject(ExpressionSyntax expression) =>
        expression is AnonymousObjectCreationExpressionSyntax or BaseObjectCreationExpressionSyntax;

    private static bool IsRoot(ExpressionSyntax expression) =>
        expression is IdentifierNameSyntax { Identifier.ValueText: var name } && s_roots.Contains(name);

    private void ReplaceRoot(MemberAccessExpressionSyntax node)
    {
        bool isCalled = node.Parent is InvocationExpressionSyntax call && call.Expression == node;
        if (isCalled)
        {
            edits.Replace(node.Expression.Span, GeneratedNames.Source);
            return;
        }

        bool hasSecondName = ((IdentifierNameSyntax)node.Expression).Identifier.ValueText != "docs"
            && node.Parent is MemberAccessExpressionSyntax { Parent: not InvocationExpressionSyntax };
        edits.Replace(hasSecondName ? node.Parent!.Span : node.Span, GeneratedNames.Source);
    }

    /// <summary>Our class that replaces a class of the base library in a static call.</summary>
    private static string? Shim(MemberAccessExpressionSyntax node)
    {
        string member = node.Name.Identifier.ValueText;
        return node.Expression.ToString() switch
        {
            "string" or "String" or "System.String" => GeneratedNames.Text,
            "object" or "Object" or "System.Object" when member == "Equals" => GeneratedNames.Class,
            "DateTime" or "System.DateTime" or "DateTimeOffset"
                when member is "Parse" or "ParseExact" or "TryParse" => GeneratedNames.Dates,
            "TimeSpan" or "System.TimeSpan" when member.StartsWith("From", StringComparison.Ordinal) =>
                GeneratedNames.Dates,
            "System.Math" => "Math",
            "System.Linq.Enumerable" => "Enumerable",
            _ => null,
        };
    }
}
