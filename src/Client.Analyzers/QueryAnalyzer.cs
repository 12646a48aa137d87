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

    // Operators that end a query with its rows.
    private static readonly HashSet<string> s_taking = new(StringComparer.Ordinal)
    {
        "ToListAsync", "ToArrayAsync", "First", "FirstOrDefault", "Single", "SingleOrDefault", "FirstAsync", "FirstOrDefaultAsync", "SingleAsync",
        "SingleOrDefaultAsync",
    };

    private static readonly HashSet<string> s_beforePage =
        new(StringComparer.Ordinal) { "Where", "OrderBy", "OrderByDescending", "Distinct", "GroupBy", "Search", "Filter", "VectorSearch", "Spatial" };

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
        if (symbols.IsOfVectors(method))
        {
            AnalyzeVector(context, call, 0, symbols);
            return;
        }

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
        else if (method.Name == "VectorSearch")
        {
            AnalyzeVector(context, call, 1, symbols);
        }
        else if (Shapes.Lambda(call, 1) is { } lambda && Shapes.Body(lambda) is { } body)
        {
            if (chain.IsOfDocuments)
            {
                AnalyzeLambda(method.Name, lambda, body, symbols, Report);
            }
            else if (chain.IsOfGroups && method.Name == "Select")
            {
                AnalyzeGroup(lambda.Symbol.Parameters[0], body, symbols, Report);
            }
        }
    }

    // VectorSearch(x => x.Name + "a", ...), WithEmbedding(x => x.Name + "a")
    private static void AnalyzeVector(OperationAnalysisContext context, IInvocationOperation call, int ordinal, QuerySymbols symbols)
    {
        if (Shapes.Lambda(call, ordinal) is { } lambda && Shapes.Body(lambda) is { } body
            && new FieldPaths(lambda.Symbol.Parameters[0], symbols, isElement: false).Computed(body) is not null)
        {
            context.ReportDiagnostic(Rules.Refused(Shapes.Strip(body).Syntax, Translatable.Vector));
        }
    }

    // g.Min(...), g.First(), g.Where(...): what is not a key, a count or a sum.
    private static void AnalyzeGroup(IParameterSymbol group, IOperation body, QuerySymbols symbols, Action<SyntaxNode, Refusal> report)
    {
        foreach (IInvocationOperation call in body.DescendantsAndSelf().OfType<IInvocationOperation>())
        {
            bool isOfGroup = symbols.IsOfLists(call.TargetMethod) && Shapes.Argument(call, 0) is { } source
                && Shapes.Strip(source) is IParameterReferenceOperation read && SymbolEqualityComparer.Default.Equals(read.Parameter, group);
            if (isOfGroup && (!Translatable.IsOfGroups(call.TargetMethod.Name) || (call.TargetMethod.Name.EndsWith("Count", StringComparison.Ordinal)
                && call.Arguments.Length > 1)))
            {
                report(call.Syntax, Translatable.OfGroup);
            }
        }
    }

    // A method of the program that a projection calls with something of the document.
    private static void AnalyzeProjection(FieldPaths fields, IOperation body, Action<SyntaxNode, Refusal> report)
    {
        foreach (IInvocationOperation call in body.DescendantsAndSelf().OfType<IInvocationOperation>())
        {
            IMethodSymbol method = call.TargetMethod;
            if (method is { IsStatic: true, MethodKind: MethodKind.Ordinary, Name: not ("Parse" or "ToInt32" or "ToInt64" or "ToDouble" or "ToDecimal") }
                && method.DeclaringSyntaxReferences.Length > 0 && !FieldPaths.IsOfClient(method)
                && call.Arguments.Any(argument => fields.IsUsedIn(argument.Value)))
            {
                report(call.Syntax, Translatable.Projected);
            }
        }
    }

    private static Refusal? RefusalOf(IMethodSymbol method, bool isOfLinq, QueryChain chain) =>
        isOfLinq && method.Parameters.Any(parameter => parameter.Type.Name is "IEqualityComparer" or "IComparer") ? Translatable.Comparer
        : isOfLinq && !Translatable.IsOperator(method.Name) && method.Name != "AsQueryable" ? Translatable.Operator(method.Name)
        : isOfLinq && method.Name == "Where" && TakesPosition(method) ? Translatable.Position
        : chain.IsPaged && s_beforePage.Contains(method.Name) ? Translatable.Paged
        : chain.IsDistinct && IsCount(method.Name) && !method.Parameters.Any(parameter => parameter.Type.Name is "Expression" or "Func")
            ? Translatable.CountOfDistinct
        : chain.IsOfGroups && s_taking.Contains(method.Name) ? Translatable.Groups
        : null;

    private static bool IsCount(string method) => method is "Count" or "LongCount" or "CountAsync" or "LongCountAsync";

    private static void AnalyzeLambda(
        string method, IAnonymousFunctionOperation lambda, IOperation body, QuerySymbols symbols, Action<SyntaxNode, Refusal> report)
    {
        var fields = new FieldPaths(lambda.Symbol.Parameters[0], symbols, isElement: false);
        if (method == "Select")
        {
            AnalyzeProjection(fields, body, report);
        }
        else if (method == "GroupBy")
        {
            if (fields.Computed(body) is not null)
            {
                report(Shapes.Strip(body).Syntax, Translatable.Key);
            }
        }
        else if (s_ordering.Contains(method))
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
