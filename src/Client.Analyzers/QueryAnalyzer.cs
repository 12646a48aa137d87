using System.Collections.Immutable;
using Jackdaw.Client.Linq.Translation;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Jackdaw.Client.Analyzers;

/// <summary>JD0001: operators and conditions of queries that the client would refuse when the query runs.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class QueryAnalyzer : DiagnosticAnalyzer
{
    private static readonly HashSet<string> s_ordering = new(StringComparer.Ordinal) { "OrderBy", "OrderByDescending", "ThenBy", "ThenByDescending" };

    private static readonly HashSet<string> s_beforePage =
        new(StringComparer.Ordinal) { "Where", "OrderBy", "OrderByDescending", "Distinct", "GroupBy", "Search", "Filter" };

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(Rules.Untranslatable);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            if (QuerySymbols.TryFind(start.Compilation) is { } symbols)
            {
                start.RegisterOperationAction(operation => Analyze(operation, symbols), OperationKind.Invocation);
            }
        });
    }

    private static void Analyze(OperationAnalysisContext context, QuerySymbols symbols)
    {
        var call = (IInvocationOperation)context.Operation;
        IMethodSymbol method = call.TargetMethod;
        bool isOfLinq = symbols.IsOfLinq(method);
        if ((!isOfLinq && !symbols.IsOwn(method)) || Shapes.Argument(call, 0) is not { } source || QueryChain.TryRead(source, symbols) is not { } chain)
        {
            return;
        }

        void Report(SyntaxNode place, Refusal refusal) => context.ReportDiagnostic(Rules.Refused(place, refusal));
        if (RefusalOf(method, isOfLinq, chain) is { } refused)
        {
            Report(Rules.NameOf(call), refused);
        }
        else if (chain.IsOfDocuments && Shapes.Lambda(call, 1) is { } lambda && Shapes.Body(lambda) is { } body)
        {
            AnalyzeLambda(method.Name, lambda, body, symbols, Report);
        }
    }

    private static Refusal? RefusalOf(IMethodSymbol method, bool isOfLinq, QueryChain chain) =>
        isOfLinq && method.Parameters.Any(parameter => parameter.Type.Name is "IEqualityComparer" or "IComparer") ? Translatable.Comparer
        : isOfLinq && !Translatable.IsOperator(method.Name) && method.Name != "AsQueryable" ? Translatable.Operator(method.Name)
        : isOfLinq && method.Name == "Where" && TakesPosition(method) ? Translatable.Position
        : chain.IsPaged && s_beforePage.Contains(method.Name) ? Translatable.Paged
        : null;

    private static void AnalyzeLambda(
        string method, IAnonymousFunctionOperation lambda, IOperation body, QuerySymbols symbols, Action<SyntaxNode, Refusal> report)
    {
        var fields = new FieldPaths(lambda.Symbol.Parameters[0], symbols, isElement: false);
        if (s_ordering.Contains(method))
        {
            if (fields.Computed(body) is not null)
            {
                report(Shapes.Strip(body).Syntax, Translatable.ComputedOrder);
            }
        }
        else if (lambda.Symbol.ReturnType.SpecialType == SpecialType.System_Boolean && IsCondition(method))
        {
            new ConditionCheck(fields, symbols, isFilter: method == "Filter", report).Visit(body);
        }
    }

    private static bool IsCondition(string method) => method is "Where" or "Filter" || method.StartsWith("First", StringComparison.Ordinal)
        || method.StartsWith("Single", StringComparison.Ordinal) || method.StartsWith("Any", StringComparison.Ordinal)

        || method.StartsWith("All", StringComparison.Ordinal) || method.StartsWith("Count", StringComparison.Ordinal)
        || method.StartsWith("LongCount", StringComparison.Ordinal);

    // Where((x, i) => ...)
    private static bool TakesPosition(IMethodSymbol where) =>
        where.Parameters.Length == 2 && where.Parameters[1].Type is INamedTypeSymbol { TypeArguments.Length: 1 } expression
        && expression.TypeArguments[0] is INamedTypeSymbol { TypeArguments.Length: 3 };
}
