using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>What the syntax of a map or reduce says about its rows: where the last select is, which fields it
/// makes.</summary>
/// <param name="Final">The object of the last select; null if it cannot be found.</param>
/// <param name="IsDirect">True when nothing follows that object, so that it need not be made.</param>
/// <param name="Names">The fields; null if they cannot be found.</param>
internal sealed record MapOutline(ExpressionSyntax? Final, bool IsDirect, string[]? Names)
{
    public static readonly MapOutline None = new(null, false, null);

    /// <summary>Operators that may be the outermost one of a map or reduce. Others look at all documents at once, or run
    /// when the pipeline is built.</summary>
    private static readonly string[] s_rootOperators =
        ["Select", "SelectMany", "Where", "GroupBy", "Boost", "AsEnumerable", "WhereEntityIs", "Cast", "OfType"];

    /// <exception cref="PartFault">The outermost operator is not allowed there.</exception>
    public static MapOutline Of(DefinitionText part)
    {
        CheckRoot((ExpressionSyntax)part.Syntax);
        (ExpressionSyntax? final, bool isDirect) = FindFinal((ExpressionSyntax)part.Syntax, true);
        string[]? names = final is null ? null : NamesOf(final);
        return new MapOutline(final, isDirect && final is AnonymousObjectCreationExpressionSyntax, names);
    }

    private static void CheckRoot(ExpressionSyntax expression)
    {
        while (true)
        {
            switch (expression)
            {
                case ParenthesizedExpressionSyntax inner:
                    expression = inner.Expression;
                    continue;
                case CastExpressionSyntax cast:
                    expression = cast.Expression;
                    continue;
                case InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax member }:
                    if (!s_rootOperators.Contains(member.Name.Identifier.ValueText))
                    {
                        throw new PartFault(member.Name.SpanStart,
                            $"'{member.Name.Identifier.ValueText}' cannot stand at the root of a map or reduce, which " +
                            "sees one document or group at a time. Order and limit results in the query instead.");
                    }

                    expression = member.Expression;
                    continue;
                case QueryExpressionSyntax query:
                    foreach (OrderByClauseSyntax clause in query.Body.Clauses.OfType<OrderByClauseSyntax>())
                    {
                        throw new PartFault(clause.SpanStart,
                            "'orderby' cannot stand at the root of a map or reduce. Order results in the query instead.");
                    }

                    return;
                default:
                    return;
            }
        }
    }

    private static (ExpressionSyntax? Final, bool IsDirect) FindFinal(ExpressionSyntax expression, bool isDirect)
    {
        while (true)
        {
            switch (expression)
            {
                case QueryExpressionSyntax query:
                    QueryBodySyntax body = query.Body;
                    while (body.Continuation is not null)
                    {
                        body = body.Continuation.Body;
                    }

                    return (Unwrapped((body.SelectOrGroup as SelectClauseSyntax)?.Expression), isDirect);
                case ParenthesizedExpressionSyntax inner:
                    expression = inner.Expression;
                    continue;
                case InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax member } call:
                    string name = member.Name.Identifier.ValueText;
                    if (name == "Where")
                    {
                        isDirect = false;
                        expression = member.Expression;
                        continue;
                    }

                    return name is "Select" or "SelectMany" && BodyOf(call) is { } selected
                        ? Selected(name, Unwrapped(selected)!, isDirect)
                        : (null, false);
                default:
                    return (null, false);
            }
        }
    }

    private static (ExpressionSyntax? Final, bool IsDirect) Selected(string name, ExpressionSyntax body, bool isDirect) =>
        name == "SelectMany" && body is QueryExpressionSyntax or InvocationExpressionSyntax
            ? FindFinal(body, isDirect)
            : (body, isDirect);

    private static ExpressionSyntax? BodyOf(InvocationExpressionSyntax call) =>
        call.ArgumentList.Arguments is [.., { Expression: LambdaExpressionSyntax lambda }]
            ? lambda.ExpressionBody
            : null;

    /// <summary>Removes parentheses and boost: both do not change the object.</summary>
    private static ExpressionSyntax? Unwrapped(ExpressionSyntax? expression)
    {
        while (true)
        {
            switch (expression)
            {
                case ParenthesizedExpressionSyntax inner:
                    expression = inner.Expression;
                    continue;
                case InvocationExpressionSyntax
                {
                    Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Boost" } member,
                }:
                    expression = member.Expression;
                    continue;
                case InvocationExpressionSyntax
                {
                    Expression: IdentifierNameSyntax { Identifier.ValueText: "Boost" },
                    ArgumentList.Arguments: [var first, _],
                }:
                    expression = first.Expression;
                    continue;
                default:
                    return expression;
            }
        }
    }

    private static string[]? NamesOf(ExpressionSyntax expression) => expression switch
    {
        AnonymousObjectCreationExpressionSyntax made => [.. made.Initializers.Select(NameOf)],
        BaseObjectCreationExpressionSyntax { Initializer: { } initializer } =>
            initializer.Expressions.Select(NameOfElement).OfType<string>().ToArray() is var names
                && names.Length == initializer.Expressions.Count ? names : null,
        ConditionalExpressionSyntax choice => NamesOf(choice.WhenTrue) ?? NamesOf(choice.WhenFalse),
        CastExpressionSyntax cast => NamesOf(cast.Expression),
        ParenthesizedExpressionSyntax inner => NamesOf(inner.Expression),
        _ => null,
    };

    private static string NameOf(AnonymousObjectMemberDeclaratorSyntax member) =>
        member.NameEquals?.Name.Identifier.ValueText ?? member.Expression switch
        {
            MemberAccessExpressionSyntax access => access.Name.Identifier.ValueText,
            IdentifierNameSyntax name => name.Identifier.ValueText,
            ConditionalAccessExpressionSyntax access when access.WhenNotNull.DescendantNodesAndSelf()
                .OfType<SimpleNameSyntax>().LastOrDefault() is { } last => last.Identifier.ValueText,
            _ => throw new PartFault(member.SpanStart,
                "A field needs a name: write 'Name = ' before this expression."),
        };

    private static string? NameOfElement(ExpressionSyntax element) => element switch
    {
        AssignmentExpressionSyntax { Left: IdentifierNameSyntax name } => name.Identifier.ValueText,
        AssignmentExpressionSyntax
        {
            Left: ImplicitElementAccessSyntax { ArgumentList.Arguments: [{ Expression: LiteralExpressionSyntax key }] },
        } => key.Token.Value as string,
        InitializerExpressionSyntax { Expressions: [LiteralExpressionSyntax key, ..] } => key.Token.Value as string,
        _ => null,
    };
}
