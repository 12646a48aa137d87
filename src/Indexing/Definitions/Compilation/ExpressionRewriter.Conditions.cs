using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Jackdaw.Indexing.Definitions.Compilation;

// Forms of C# that test a type or null. For C# a value is a struct and never null, so they become conditions.
internal sealed partial class ExpressionRewriter
{
    public override void VisitBinaryExpression(BinaryExpressionSyntax node)
    {
        switch (node.Kind())
        {
            case SyntaxKind.CoalesceExpression:
                string variable = NewVariable();
                edits.Before(node.Left.SpanStart, $"({GeneratedNames.Convert}.HasValue(", node.Span.Length);
                edits.Replace(node.OperatorToken.Span, $", out var {variable}) ? {variable} : (");
                edits.After(node.Right.Span.End, "))", node.Span.Length);
                break;
            case SyntaxKind.IsExpression or SyntaxKind.AsExpression:
                string test = node.IsKind(SyntaxKind.IsExpression) ? "Is" : "TryAs";
                edits.Before(node.Left.SpanStart, $"{GeneratedNames.Convert}.{test}<{node.Right}>(", node.Span.Length);
                edits.Replace(TextSpan.FromBounds(node.OperatorToken.SpanStart, node.Right.Span.End), ")");
                Visit(node.Left);
                return;
        }

        base.VisitBinaryExpression(node);
    }

    /// <summary>Any type can stand before '?.', and a value is never the null of C#; so it becomes a choice. Its result is a value.</summary>
    public override void VisitConditionalAccessExpression(ConditionalAccessExpressionSyntax node)
    {
        string variable = _receivers[node] = NewVariable();
        edits.Before(node.Expression.SpanStart, $"({GeneratedNames.Convert}.HasValue(", node.Span.Length);
        edits.Replace(node.OperatorToken.Span, $", out var {variable}) ? ");
        edits.After(node.Span.End, $" : {GeneratedNames.Value}.Null)", node.Span.Length);
        base.VisitConditionalAccessExpression(node);
    }

    /// <summary>Names the receiver at the member or element behind '?.'.</summary>
    private void BeginBinding(ExpressionSyntax binding)
    {
        ConditionalAccessExpressionSyntax access = binding.Ancestors().OfType<ConditionalAccessExpressionSyntax>()
            .First(one => one.WhenNotNull.Span.Contains(binding.Span));
        edits.Before(binding.SpanStart, _receivers[access], binding.Span.Length);
    }

    public override void VisitIsPatternExpression(IsPatternExpressionSyntax node)
    {
        string variable = NewVariable();
        edits.Before(node.Expression.SpanStart, $"({GeneratedNames.Convert}.Keep(", node.Span.Length);
        edits.Replace(TextSpan.FromBounds(node.IsKeyword.SpanStart, node.Span.End),
            $", out var {variable}) && {Condition(node.Pattern, variable)})");
        Visit(node.Expression);
    }

    public override void VisitSwitchExpression(SwitchExpressionSyntax node)
    {
        string variable = NewVariable();
        string nothing = GeneratedNames.Value + ".Null";
        edits.Before(node.GoverningExpression.SpanStart, $"({GeneratedNames.Convert}.Keep(", node.Span.Length);
        edits.Replace(TextSpan.FromBounds(node.SwitchKeyword.SpanStart, node.OpenBraceToken.Span.End),
            $", out var {variable}) && false ? {nothing} : ");
        Visit(node.GoverningExpression);
        bool isComplete = false;
        for (int i = 0; i < node.Arms.Count; i++)
        {
            SwitchExpressionArmSyntax arm = node.Arms[i];
            bool isDefault = arm is { Pattern: DiscardPatternSyntax, WhenClause: null };
            isComplete |= isDefault;
            BeginArm(arm, variable, isDefault);
            Visit(arm.Expression);
            edits.After(arm.Expression.Span.End, isDefault ? ")" : ") : ", arm.Span.Length);
            if (i < node.Arms.SeparatorCount)
            {
                edits.Replace(node.Arms.GetSeparator(i).Span, "");
            }
        }

        edits.Replace(node.CloseBraceToken.Span, isComplete ? ")" : nothing + ")");
    }

    private void BeginArm(SwitchExpressionArmSyntax arm, string variable, bool isDefault)
    {
        int arrowEnd = arm.EqualsGreaterThanToken.Span.End;
        if (isDefault)
        {
            edits.Replace(TextSpan.FromBounds(arm.SpanStart, arrowEnd), ToValueOf(arm));
            return;
        }

        string condition = Condition(arm.Pattern, variable);
        if (arm.WhenClause is not { Condition: { } when })
        {
            edits.Replace(TextSpan.FromBounds(arm.SpanStart, arrowEnd), $"{condition} ? {ToValueOf(arm)}");
            return;
        }

        edits.Replace(TextSpan.FromBounds(arm.SpanStart, when.SpanStart), $"{condition} && (bool)(");
        Visit(when);
        edits.Replace(TextSpan.FromBounds(when.Span.End, arrowEnd), $") ? {ToValueOf(arm)}");
    }

    /// <summary>Arms become values, so that they have one type; 1 and "a" have no common type.</summary>
    private static string ToValueOf(SwitchExpressionArmSyntax arm) =>
        arm.Expression is ThrowExpressionSyntax ? "(" : GeneratedNames.ToValue + "(";

    private static string Condition(PatternSyntax pattern, string variable) => pattern switch
    {
        ConstantPatternSyntax { Expression: LiteralExpressionSyntax { RawKind: (int)SyntaxKind.NullLiteralExpression } } =>
            $"{variable} == {GeneratedNames.Value}.Null",
        ConstantPatternSyntax constant => $"{variable} == {constant.Expression}",
        RelationalPatternSyntax relation => $"{variable} {relation.OperatorToken} {relation.Expression}",
        UnaryPatternSyntax not => $"!({Condition(not.Pattern, variable)})",
        BinaryPatternSyntax both => $"({Condition(both.Left, variable)} " +
            (both.OperatorToken.IsKind(SyntaxKind.OrKeyword) ? "||" : "&&") +
            $" {Condition(both.Right, variable)})",
        ParenthesizedPatternSyntax inner => Condition(inner.Pattern, variable),
        TypePatternSyntax type => $"{GeneratedNames.Convert}.Is<{type.Type}>({variable})",
        DeclarationPatternSyntax { Designation: SingleVariableDesignationSyntax name } declared =>
            $"{GeneratedNames.Convert}.Is({variable}, out {declared.Type} {name.Identifier})",
        DiscardPatternSyntax => "true",
        _ => throw new PartFault(pattern.SpanStart,
            $"The pattern '{pattern}' is not supported: use constants, comparisons, types, not, and, or."),
    };

    private string NewVariable() => $"__t{_variables++}";
}
