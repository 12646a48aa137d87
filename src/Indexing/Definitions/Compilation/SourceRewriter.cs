using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Puts the budget into an additional source: a check of the stack in each body, a step in each loop and
/// statement, a check of the size of each array and text.</summary>
internal sealed class SourceRewriter(TextEdits edits, HashSet<string> memberNames) : CSharpSyntaxWalker
{
    private const string Enter = $" {GeneratedNames.Budget}.Enter(); ";
    private const string Step = $" {GeneratedNames.Budget}.Step(); ";
    private const string Statement = $" {GeneratedNames.Budget}.Statement(); ";

    public override void VisitUsingDirective(UsingDirectiveSyntax node)
    {
        if (node.Name?.ToString() == "System.Linq")
        {
            edits.Replace(node.Span, "");
        }
    }

    public override void VisitIdentifierName(IdentifierNameSyntax node)
    {
        if (node.Identifier.ValueText == "dynamic")
        {
            edits.Replace(node.Span, GeneratedNames.Value);
        }
    }

    public override void VisitMemberAccessExpression(MemberAccessExpressionSyntax node)
    {
        bool isCalled = node.Parent is InvocationExpressionSyntax call && call.Expression == node;
        if (!isCalled && node.Name is IdentifierNameSyntax name)
        {
            memberNames.Add(name.Identifier.ValueText);
        }

        base.VisitMemberAccessExpression(node);
    }

    public override void VisitClassDeclaration(ClassDeclarationSyntax node)
    {
        if (!node.Modifiers.Any(SyntaxKind.StaticKeyword) && node.OpenBraceToken.Span.Length > 0)
        {
            // In the first initializer, because a class whose field makes another object of the class has no body that could stop it.
            edits.After(node.OpenBraceToken.Span.End,
                $" private readonly byte __budget = {GeneratedNames.Budget}.EnteredField(); ", 0);
        }

        base.VisitClassDeclaration(node);
    }

    public override void VisitMethodDeclaration(MethodDeclarationSyntax node)
    {
        Body(node.Body, node.ExpressionBody, node.SemicolonToken, node.ReturnType.ToString() == "void");
        base.VisitMethodDeclaration(node);
    }

    public override void VisitLocalFunctionStatement(LocalFunctionStatementSyntax node)
    {
        Body(node.Body, node.ExpressionBody, node.SemicolonToken, node.ReturnType.ToString() == "void");
        base.VisitLocalFunctionStatement(node);
    }

    public override void VisitConstructorDeclaration(ConstructorDeclarationSyntax node)
    {
        Body(node.Body, node.ExpressionBody, node.SemicolonToken, true);
        base.VisitConstructorDeclaration(node);
    }

    public override void VisitOperatorDeclaration(OperatorDeclarationSyntax node)
    {
        Body(node.Body, node.ExpressionBody, node.SemicolonToken, false);
        base.VisitOperatorDeclaration(node);
    }

    public override void VisitAccessorDeclaration(AccessorDeclarationSyntax node)
    {
        bool isVoid = !node.IsKind(SyntaxKind.GetAccessorDeclaration);
        Body(node.Body, node.ExpressionBody, node.SemicolonToken, isVoid);
        base.VisitAccessorDeclaration(node);
    }

    public override void VisitPropertyDeclaration(PropertyDeclarationSyntax node)
    {
        Getter(node.ExpressionBody, node.SemicolonToken);
        base.VisitPropertyDeclaration(node);
    }

    public override void VisitIndexerDeclaration(IndexerDeclarationSyntax node)
    {
        Getter(node.ExpressionBody, node.SemicolonToken);
        base.VisitIndexerDeclaration(node);
    }

    public override void VisitSimpleLambdaExpression(SimpleLambdaExpressionSyntax node)
    {
        Lambda(node);
        base.VisitSimpleLambdaExpression(node);
    }

    public override void VisitParenthesizedLambdaExpression(ParenthesizedLambdaExpressionSyntax node)
    {
        Lambda(node);
        base.VisitParenthesizedLambdaExpression(node);
    }

    public override void VisitAnonymousMethodExpression(AnonymousMethodExpressionSyntax node)
    {
        edits.After(node.Block.OpenBraceToken.Span.End, Enter, 0);
        base.VisitAnonymousMethodExpression(node);
    }

    public override void VisitBlock(BlockSyntax node)
    {
        foreach (StatementSyntax statement in node.Statements)
        {
            if (statement is ExpressionStatementSyntax
                or LocalDeclarationStatementSyntax { IsConst: false, UsingKeyword.RawKind: 0 })
            {
                edits.Before(statement.SpanStart, Statement, statement.Span.Length);
            }
        }

        base.VisitBlock(node);
    }

    public override void VisitWhileStatement(WhileStatementSyntax node)
    {
        Loop(node.Statement);
        base.VisitWhileStatement(node);
    }

    public override void VisitDoStatement(DoStatementSyntax node)
    {
        Loop(node.Statement);
        base.VisitDoStatement(node);
    }

    public override void VisitForStatement(ForStatementSyntax node)
    {
        Loop(node.Statement);
        base.VisitForStatement(node);
    }

    public override void VisitForEachStatement(ForEachStatementSyntax node)
    {
        Loop(node.Statement);
        base.VisitForEachStatement(node);
    }

    public override void VisitForEachVariableStatement(ForEachVariableStatementSyntax node)
    {
        Loop(node.Statement);
        base.VisitForEachVariableStatement(node);
    }

    public override void VisitArrayCreationExpression(ArrayCreationExpressionSyntax node)
    {
        foreach (ExpressionSyntax size in node.Type.RankSpecifiers.SelectMany(rank => rank.Sizes))
        {
            if (size is not OmittedArraySizeExpressionSyntax and not LiteralExpressionSyntax { Token.Value: < 1024 })
            {
                edits.Before(size.SpanStart, GeneratedNames.Budget + ".Length(", size.Span.Length + 1);
                edits.After(size.Span.End, ")", size.Span.Length + 1);
            }
        }

        base.VisitArrayCreationExpression(node);
    }

    public override void VisitBinaryExpression(BinaryExpressionSyntax node)
    {
        if (node.IsKind(SyntaxKind.AddExpression) && !IsConstant(node))
        {
            Operand(node.Left);
            Operand(node.Right);
        }

        base.VisitBinaryExpression(node);
    }

    public override void VisitAssignmentExpression(AssignmentExpressionSyntax node)
    {
        if (node.IsKind(SyntaxKind.AddAssignmentExpression))
        {
            Operand(node.Right);
        }

        base.VisitAssignmentExpression(node);
    }

    public override void VisitInterpolation(InterpolationSyntax node)
    {
        Operand(node.Expression);
        base.VisitInterpolation(node);
    }

    /// <summary>Counts an operand of a concatenation before the result is made. The method is generic, so that numbers
    /// keep their types.</summary>
    private void Operand(ExpressionSyntax operand)
    {
        if (operand is IdentifierNameSyntax or MemberAccessExpressionSyntax or InvocationExpressionSyntax
            or ElementAccessExpressionSyntax or ParenthesizedExpressionSyntax)
        {
            edits.Before(operand.SpanStart, GeneratedNames.Budget + ".Operand(", operand.Span.Length + 1);
            edits.After(operand.Span.End, ")", operand.Span.Length + 1);
        }
    }

    private static bool IsConstant(SyntaxNode node) => node.Ancestors().Any(ancestor => ancestor
        is FieldDeclarationSyntax or ParameterSyntax or EnumMemberDeclarationSyntax or SwitchLabelSyntax
        or PatternSyntax or LocalDeclarationStatementSyntax { IsConst: true });

    private void Body(BlockSyntax? block, ArrowExpressionClauseSyntax? arrow, SyntaxToken semicolon, bool isVoid)
    {
        if (block is not null)
        {
            edits.After(block.OpenBraceToken.Span.End, Enter, 0);
        }
        else if (arrow is not null)
        {
            bool returns = !isVoid && arrow.Expression is not ThrowExpressionSyntax;
            edits.Replace(arrow.ArrowToken.Span, "{" + Enter + (returns ? "return " : ""));
            edits.After(semicolon.Span.End, " }", 0);
        }
    }

    private void Getter(ArrowExpressionClauseSyntax? arrow, SyntaxToken semicolon)
    {
        if (arrow is not null)
        {
            bool returns = arrow.Expression is not ThrowExpressionSyntax;
            edits.Replace(arrow.ArrowToken.Span, "{ get {" + Enter + (returns ? "return " : ""));
            edits.After(semicolon.Span.End, " } }", 0);
        }
    }

    private void Lambda(LambdaExpressionSyntax node)
    {
        if (node.Block is not null)
        {
            edits.After(node.Block.OpenBraceToken.Span.End, Enter, 0);
        }
        else if (node.ExpressionBody is { } body and not (AssignmentExpressionSyntax or PostfixUnaryExpressionSyntax
            or PrefixUnaryExpressionSyntax or InvocationExpressionSyntax or ThrowExpressionSyntax))
        {
            // Other bodies can be statements: SymbolCheck adds their check when their type is known.
            edits.Before(body.SpanStart, $"({GeneratedNames.Budget}.Entered() ? (", body.Span.Length + 1);
            edits.After(body.Span.End, ") : throw null)", body.Span.Length + 1);
        }
    }

    private void Loop(StatementSyntax body)
    {
        if (body is BlockSyntax block)
        {
            edits.After(block.OpenBraceToken.Span.End, Step, 0);
        }
        else
        {
            // A single statement has no block around it that would check the memory.
            edits.Before(body.SpanStart, "{" + Statement, body.Span.Length + 1);
            edits.After(body.Span.End, " }", body.Span.Length + 1);
        }
    }
}
