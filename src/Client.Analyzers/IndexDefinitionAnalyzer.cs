using System.Collections.Immutable;
using Jackdaw.Client.Linq.Translation;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Jackdaw.Client.Analyzers;

/// <summary>JD0001 and JD0002 in index definitions: finds values that must follow from the document but do not.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class IndexDefinitionAnalyzer : DiagnosticAnalyzer
{
    private const string ClockRewrite = "Index the time that is in the document, and compare it with the clock in the query: " +
        "Where(x => x.At > time); or have the document change in time, by @refresh or @expires in its metadata.";

    private static readonly Refusal s_random = new(
        "An entry must follow from its document, so the server refuses random values.",
        "Store the value in the document, or order the query randomly: Customize(c => c.RandomOrdering()).");

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(Rules.Untranslatable, Rules.WallClock);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterOperationAction(AnalyzeMember, OperationKind.PropertyReference);
        context.RegisterOperationAction(AnalyzeCall, OperationKind.Invocation);
    }

    private static void AnalyzeMember(OperationAnalysisContext context)
    {
        IPropertySymbol property = ((IPropertyReferenceOperation)context.Operation).Property;
        bool isOfSystem = property.ContainingNamespace?.ToDisplayString() == "System";
        if (!isOfSystem || !IsInDefinition(context))
        {
            return;
        }

        if ((property.ContainingType.Name is "DateTime" or "DateTimeOffset" && property.Name is "Now" or "UtcNow" or "Today")
            || (property.ContainingType.Name == "TimeProvider" && property.Name == "System")
            || (property.ContainingType.Name == "Environment" && property.Name is "TickCount" or "TickCount64"))
        {
            SyntaxNode place = context.Operation.Syntax;
            context.ReportDiagnostic(Diagnostic.Create(Rules.WallClock, place.GetLocation(), Rules.Fragment(place), ClockRewrite));
        }
        else if (property.ContainingType.Name == "Random" && property.Name == "Shared")
        {
            context.ReportDiagnostic(Rules.Refused(context.Operation.Syntax, s_random));
        }
    }

    private static void AnalyzeCall(OperationAnalysisContext context)
    {
        IMethodSymbol method = ((IInvocationOperation)context.Operation).TargetMethod;
        if (method is { Name: "NewGuid" or "CreateVersion7", ContainingType.Name: "Guid" }
            && method.ContainingNamespace.ToDisplayString() == "System" && IsInDefinition(context))
        {
            context.ReportDiagnostic(Rules.Refused(context.Operation.Syntax, s_random));
        }
    }

    // The expressions of Map, Reduce and the like in a class that defines an index. The other code of this class runs in the program.
    private static bool IsInDefinition(OperationAnalysisContext context) =>
        IsDefinition(context.ContainingSymbol.ContainingType) && Shapes.IsInExpressionTree(context.Operation);

    private static bool IsDefinition(INamedTypeSymbol? type)
    {
        for (INamedTypeSymbol? around = type; around is not null; around = around.ContainingType)
        {
            for (INamedTypeSymbol? definition = around.BaseType; definition is not null; definition = definition.BaseType)
            {
                if (definition.Name.StartsWith("Abstract", StringComparison.Ordinal)
                    && definition.Name.EndsWith("IndexCreationTask", StringComparison.Ordinal)
                    && definition.ContainingNamespace.ToDisplayString() == "Jackdaw.Client.Indexes")
                {
                    return true;
                }
            }
        }

        return false;
    }
}
