using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Refuses syntax that no definition may contain, no matter what it is bound to.</summary>
internal static class RefusedSyntax
{
    /// <summary>Deepest nesting of lambdas and queries. The compiler tries each overload of the outer ones for each overload of the
    /// inner ones: 14 take seconds.</summary>
    private const int NestedLambdasMax = 8;

    /// <summary>Largest width of an interpolation. Characters.</summary>
    private const int AlignmentMax = 999;

    /// <summary>Deepest nesting of expressions. The compiler's time grows with its square: a chain of 3,000 additions takes
    /// seconds. Hand-written ones have a few dozen.</summary>
    private const int DepthMax = 400;

    /// <summary>Most <c>$</c> of a text, because each may begin an interpolated text inside of another one, and the scanner
    /// takes up to a KB of stack for each. Hand-written definitions have a few.</summary>
    private const int InterpolationsMax = 200;

    private static readonly Dictionary<SyntaxKind, string> s_nodes = new()
    {
        [SyntaxKind.UnsafeStatement] = "unsafe code",
        [SyntaxKind.FixedStatement] = "fixed",
        [SyntaxKind.StackAllocArrayCreationExpression] = "stackalloc",
        [SyntaxKind.ImplicitStackAllocArrayCreationExpression] = "stackalloc",
        [SyntaxKind.PointerType] = "a pointer",
        [SyntaxKind.FunctionPointerType] = "a function pointer",
        [SyntaxKind.GotoStatement] = "goto",
        [SyntaxKind.GotoCaseStatement] = "goto",
        [SyntaxKind.GotoDefaultStatement] = "goto",
        [SyntaxKind.LabeledStatement] = "a label",
        [SyntaxKind.LockStatement] = "lock",
        [SyntaxKind.DestructorDeclaration] = "a finalizer",
        [SyntaxKind.AttributeList] = "an attribute",
        [SyntaxKind.AwaitExpression] = "await",
        [SyntaxKind.TypeOfExpression] = "typeof",
        [SyntaxKind.SizeOfExpression] = "sizeof",
        [SyntaxKind.RefType] = "ref",
        [SyntaxKind.MakeRefExpression] = "__makeref",
        [SyntaxKind.RefTypeExpression] = "__reftype",
        [SyntaxKind.RefValueExpression] = "__refvalue",
        [SyntaxKind.ArgListExpression] = "__arglist",
        [SyntaxKind.ExternAliasDirective] = "extern alias",
        [SyntaxKind.GlobalStatement] = "a statement outside a method",
        [SyntaxKind.CatchFilterClause] = "an exception filter (when)",
        [SyntaxKind.ConversionOperatorDeclaration] = "a conversion operator",
        [SyntaxKind.ExtensionBlockDeclaration] = "an extension block",
        [SyntaxKind.WithExpression] = "with",
        [SyntaxKind.RecordDeclaration] = "a record",
        [SyntaxKind.RecordStructDeclaration] = "a record",
        [SyntaxKind.DelegateDeclaration] = "a delegate type: use Func or Action",
        [SyntaxKind.TypeParameterList] = "type parameters of its own",
        [SyntaxKind.EventDeclaration] = "an event",
        [SyntaxKind.EventFieldDeclaration] = "an event",
        [SyntaxKind.CollectionExpression] = "a collection expression: write new[] { ... }",
    };

    private static readonly HashSet<SyntaxKind> s_tokens =
    [
        SyntaxKind.UnsafeKeyword, SyntaxKind.ExternKeyword, SyntaxKind.AsyncKeyword, SyntaxKind.VolatileKeyword,
        SyntaxKind.PartialKeyword,
    ];

    private static readonly HashSet<string> s_mutableTypes =
        ["List", "Dictionary", "HashSet", "StringBuilder", "Queue", "Stack", "SortedDictionary", "LinkedList", "dynamic"];

    /// <exception cref="PartFault">The text contains such syntax.</exception>
    public static void Check(SyntaxNode root)
    {
        CheckDepth(root);
        foreach (SyntaxNodeOrToken item in root.DescendantNodesAndTokensAndSelf(descendIntoTrivia: true))
        {
            if (item.AsNode() is { } node)
            {
                CheckNode(node);
            }
            else
            {
                CheckToken(item.AsToken());
            }
        }
    }

    /// <summary>Refuses text that is nested too deeply before it is parsed: the parser takes time by the square of the depth
    /// of brackets, and ends the process when type arguments or interpolated texts exhaust its stack.</summary>
    /// <exception cref="PartFault">The text is nested too deeply.</exception>
    public static void CheckNesting(string text)
    {
        CheckInterpolations(text);
        int brackets = 0;
        int angles = 0;
        foreach (SyntaxToken token in SyntaxFactory.ParseTokens(text, 0, 0, DefinitionParser.Options))
        {
            // Here an interpolated text is one token with the expressions in it; other texts and comments do not count.
            brackets = token.IsKind(SyntaxKind.InterpolatedStringToken) || token.Text.Length == 1
                ? DepthAfter(token, brackets)
                : brackets;
            angles = token.Kind() switch
            {
                SyntaxKind.LessThanToken => angles + 1,
                SyntaxKind.GreaterThanToken => Math.Max(0, angles - 1),
                _ => EndsTypeArguments(token) ? 0 : angles,
            };
            if (angles > DepthMax)
            {
                throw TooDeep(token.SpanStart);
            }
        }
    }

    private static void CheckInterpolations(string text)
    {
        int count = 0;
        for (int i = 0; i < text.Length; i++)
        {
            if (text[i] == '$' && ++count > InterpolationsMax)
            {
                throw new PartFault(i, $"There are more than {InterpolationsMax} interpolated texts. Use an additional source.");
            }
        }
    }

    // A list of type arguments cannot contain this, so the angle brackets before it were comparisons.
    private static bool EndsTypeArguments(SyntaxToken token) => token.Kind() is
        SyntaxKind.NumericLiteralToken or SyntaxKind.StringLiteralToken or SyntaxKind.SemicolonToken or SyntaxKind.OpenBraceToken
        or SyntaxKind.AmpersandAmpersandToken or SyntaxKind.BarBarToken or SyntaxKind.EqualsGreaterThanToken;

    private static int DepthAfter(SyntaxToken token, int depth)
    {
        foreach (char c in token.Text)
        {
            depth += c switch
            {
                '(' or '[' or '{' => 1,
                ')' or ']' or '}' => -1,
                _ => 0,
            };
            if (depth > DepthMax)
            {
                throw TooDeep(token.SpanStart);
            }
        }

        return depth;
    }

    private static PartFault TooDeep(int position) =>
        new(position, $"The expression is nested more than {DepthMax} deep. Split it with let, or an additional source.");

    private static void CheckDepth(SyntaxNode root)
    {
        var waiting = new Stack<(SyntaxNode Node, int Depth)>();
        waiting.Push((root, 0));
        while (waiting.TryPop(out (SyntaxNode Node, int Depth) item))
        {
            if (item.Depth > DepthMax)
            {
                throw TooDeep(item.Node.SpanStart);
            }

            foreach (SyntaxNode child in item.Node.ChildNodes())
            {
                waiting.Push((child, item.Depth + 1));
            }
        }
    }

    private static void CheckToken(SyntaxToken token)
    {
        if (s_tokens.Contains(token.Kind()))
        {
            throw Refused(token.SpanStart, $"'{token.Text}'");
        }

        if (token.IsKind(SyntaxKind.IdentifierToken) && (token.ValueText.StartsWith("__", StringComparison.Ordinal)
            || token.ValueText == "Jackdaw"))
        {
            throw new PartFault(token.SpanStart,
                $"The name '{token.ValueText}' is reserved: names must not be Jackdaw, nor begin with two underscores.");
        }
    }

    private static void CheckNode(SyntaxNode node)
    {
        if (s_nodes.TryGetValue(node.Kind(), out string? what))
        {
            throw Refused(node.SpanStart, what);
        }

        switch (node)
        {
            case DirectiveTriviaSyntax:
                throw Refused(node.SpanStart, "a directive (#)");
            case ConstructorInitializerSyntax { ArgumentList.Arguments: var arguments } when arguments.Any(HasCall):
                throw Refused(node.SpanStart, "a call in a constructor initializer");
            case ConstructorDeclarationSyntax made when made.Modifiers.Any(SyntaxKind.StaticKeyword):
                throw Refused(node.SpanStart, "a static constructor");
            case FieldDeclarationSyntax field when field.Modifiers.Any(SyntaxKind.StaticKeyword):
                CheckStatic(field.Declaration.Type, field.Modifiers.Any(SyntaxKind.ReadOnlyKeyword), field);
                break;
            case PropertyDeclarationSyntax property when property.Modifiers.Any(SyntaxKind.StaticKeyword)
                && property.AccessorList is { } accessors && accessors.Accessors.Any(a => a.Body is null && a.ExpressionBody is null):
                CheckStatic(property.Type, accessors.Accessors.Count == 1, property);
                break;
            case InterpolationAlignmentClauseSyntax alignment when !IsSmall(alignment.Value):
                throw Refused(node.SpanStart, $"a width of an interpolation that is not a number up to {AlignmentMax}");
            case InterpolationFormatClauseSyntax format
                when Values.Value.HasLongPrecision(format.FormatStringToken.ValueText):
                throw Refused(node.SpanStart, "a precision of more than 999");
            case LambdaExpressionSyntax or QueryExpressionSyntax when Nesting(node) > NestedLambdasMax:
                throw new PartFault(node.SpanStart, $"More than {NestedLambdasMax} lambdas or queries are nested. " +
                    "Move the inner ones to a method in an additional source.");
        }
    }

    private static bool HasCall(ArgumentSyntax argument) => argument.DescendantNodesAndSelf().Any(inner =>
        inner is BaseObjectCreationExpressionSyntax or InvocationExpressionSyntax);

    private static bool IsSmall(ExpressionSyntax width) => width switch
    {
        LiteralExpressionSyntax { Token.Value: int number } => number <= AlignmentMax,
        PrefixUnaryExpressionSyntax { Operand: LiteralExpressionSyntax { Token.Value: int number } } =>
            number <= AlignmentMax,
        _ => false,
    };

    private static int Nesting(SyntaxNode node) =>
        node.AncestorsAndSelf().Count(outer => outer is LambdaExpressionSyntax or QueryExpressionSyntax);

    /// <summary>Refuses state between documents: entries would depend on the order of the documents, and the state would
    /// grow without a bound.</summary>
    private static void CheckStatic(TypeSyntax type, bool isReadOnly, SyntaxNode node)
    {
        string name = type.ToString().Split('<')[0];
        if (!isReadOnly || s_mutableTypes.Contains(name[(name.LastIndexOf('.') + 1)..]))
        {
            throw new PartFault(node.SpanStart, "Static members must not change, because entries would depend on the " +
                "order of documents: make this const, or static readonly of an immutable type such as " +
                "IReadOnlyDictionary<string, string>.");
        }
    }

    private static PartFault Refused(int position, string what) =>
        new(position, $"An index definition must not contain {what}.");
}
