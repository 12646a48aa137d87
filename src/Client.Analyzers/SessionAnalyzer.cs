using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Jackdaw.Client.Analyzers;

/// <summary>JD0003: sessions in static members, and sessions that another flow of work takes along, or
/// that are called twice at the same time.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class SessionAnalyzer : DiagnosticAnalyzer
{
    private const string StaticRewrite = "Keep the store there instead, and open a session for each request: using var session = store.OpenAsyncSession().";

    private const string CaptureRewrite = "Open one within the lambda: using var session = store.OpenAsyncSession().";

    private const string TogetherRewrite = "Load both by one call, use Lazily, or await one call after the other.";

    private static readonly string[] s_sessions = ["Jackdaw.Client.Sessions.IDocumentSession", "Jackdaw.Client.Sessions.IAsyncDocumentSession"];

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(Rules.SharedSession);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            INamedTypeSymbol[] sessions =
            [
                .. s_sessions.Select(start.Compilation.GetTypeByMetadataName).OfType<INamedTypeSymbol>(),
            ];
            if (sessions.Length > 0)
            {
                start.RegisterSymbolAction(symbol => AnalyzeMember(symbol, sessions), SymbolKind.Field, SymbolKind.Property);
                start.RegisterOperationAction(operation => AnalyzeCall(operation, sessions), OperationKind.Invocation);
            }
        });
    }

    private static void AnalyzeMember(SymbolAnalysisContext context, INamedTypeSymbol[] sessions)
    {
        ITypeSymbol type = context.Symbol is IFieldSymbol field ? field.Type : ((IPropertySymbol)context.Symbol).Type;

        // A computed property opens a session for its reader.
        bool isKept = context.Symbol is IFieldSymbol { IsImplicitlyDeclared: false } || (context.Symbol is IPropertySymbol property && IsAutomatic(property));
        bool isOfThread = context.Symbol.GetAttributes().Any(attribute => attribute.AttributeClass?.Name == "ThreadStaticAttribute");
        if (context.Symbol.IsStatic && isKept && !isOfThread && IsSession(type, sessions))
        {
            context.ReportDiagnostic(Diagnostic.Create(
                Rules.SharedSession, context.Symbol.Locations.FirstOrDefault(), context.Symbol.Name, StaticRewrite));
        }
    }

    private static bool IsAutomatic(IPropertySymbol property) => property.ContainingType.GetMembers().OfType<IFieldSymbol>()
        .Any(field => SymbolEqualityComparer.Default.Equals(field.AssociatedSymbol, property));

    private static void AnalyzeCall(OperationAnalysisContext context, INamedTypeSymbol[] sessions)
    {
        var call = (IInvocationOperation)context.Operation;
        if (call.TargetMethod is { Name: "WhenAll", ContainingType.Name: "Task" }
            && call.TargetMethod.ContainingNamespace?.ToDisplayString() == "System.Threading.Tasks")
        {
            AnalyzeTogether(context, call, sessions);
            return;
        }

        if (!StartsFlow(call.TargetMethod))
        {
            return;
        }

        foreach (IArgumentOperation argument in call.Arguments)
        {
            if (Shapes.Strip(argument.Value) is IAnonymousFunctionOperation lambda)
            {
                AnalyzeLambda(context, lambda, sessions);
            }
        }
    }

    // Task.WhenAll(session.LoadAsync<A>(a), session.LoadAsync<B>(b))
    private static void AnalyzeTogether(OperationAnalysisContext context, IInvocationOperation call, INamedTypeSymbol[] sessions)
    {
        HashSet<ISymbol> seen = new(SymbolEqualityComparer.Default);
        foreach (IInvocationOperation task in call.Arguments.SelectMany(argument => argument.Value.DescendantsAndSelf()).OfType<IInvocationOperation>())
        {
            if (task.Instance is { } session && IsSession(session.Type, sessions) && NameOf(session) is { } symbol && !seen.Add(symbol))
            {
                context.ReportDiagnostic(Diagnostic.Create(
                    Rules.SharedSession, session.Syntax.GetLocation(), Rules.Fragment(session.Syntax), TogetherRewrite));
            }
        }
    }

    private static ISymbol? NameOf(IOperation session) => session switch
    {
        ILocalReferenceOperation local => local.Local,
        IParameterReferenceOperation parameter => parameter.Parameter,
        IFieldReferenceOperation field => field.Field,
        _ => null,
    };

    private static void AnalyzeLambda(OperationAnalysisContext context, IAnonymousFunctionOperation lambda, INamedTypeSymbol[] sessions)
    {
        HashSet<ISymbol> told = new(SymbolEqualityComparer.Default);
        foreach (IOperation inner in lambda.Body.Descendants())
        {
            if (Captured(inner, lambda) is { } symbol && IsSession(inner.Type, sessions) && told.Add(symbol))
            {
                context.ReportDiagnostic(Diagnostic.Create(
                    Rules.SharedSession, inner.Syntax.GetLocation(), Rules.Fragment(inner.Syntax), CaptureRewrite));
            }
        }
    }

    // Variables that are declared outside of the lambda and read in it.
    private static ISymbol? Captured(IOperation operation, IAnonymousFunctionOperation lambda)
    {
        ISymbol? symbol = operation switch
        {
            ILocalReferenceOperation local => local.Local,
            IParameterReferenceOperation parameter => parameter.Parameter,
            IFieldReferenceOperation { Instance: null or IInstanceReferenceOperation } field => field.Field,
            IPropertyReferenceOperation { Instance: IInstanceReferenceOperation } property when IsAutomatic(property.Property) => property.Property,
            _ => null,
        };
        return symbol is not null && (symbol is IFieldSymbol or IPropertySymbol || !IsDeclaredWithin(symbol, lambda.Syntax)) ? symbol : null;
    }

    private static bool IsDeclaredWithin(ISymbol symbol, SyntaxNode lambda) => symbol.DeclaringSyntaxReferences.Any(reference =>
        reference.SyntaxTree == lambda.SyntaxTree && lambda.Span.Contains(reference.Span));

    private static bool StartsFlow(IMethodSymbol method)
    {
        string type = method.ContainingType.Name;
        return method.ContainingNamespace?.ToDisplayString() switch
        {
            "System.Threading.Tasks" => (type == "Task" && method.Name == "Run") || type == "Parallel" || (type == "TaskFactory" && method.Name == "StartNew"),
            "System.Threading" => type == "ThreadPool" && method.Name is "QueueUserWorkItem" or "UnsafeQueueUserWorkItem",
            _ => false,
        };
    }

    private static bool IsSession(ITypeSymbol? type, INamedTypeSymbol[] sessions) => type is not null && sessions.Any(session =>
        SymbolEqualityComparer.Default.Equals(type, session) || type.AllInterfaces.Any(one => SymbolEqualityComparer.Default.Equals(one, session)));
}
