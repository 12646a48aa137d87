using Jackdaw.Json.Refusals;

namespace Jackdaw.Indexing.Definitions.Model;

/// <summary>A definition whose members contradict each other or the rules.</summary>
/// <param name="message">What is wrong and what to do.</param>
internal class IndexDefinitionException(string message, RefusalKind kind = RefusalKind.InvalidArgument) : RefusedException(kind, message);

/// <summary>A text of a definition that cannot be compiled.</summary>
internal sealed class IndexCompilationException : IndexDefinitionException
{
    public IndexCompilationException(string indexName, string property, string? file, string text, string detail)
        : base($"Failed to compile index '{indexName}': {detail}", RefusalKind.IndexCompilation)
    {
        IndexDefinitionProperty = property;
        File = file;
        ProblematicText = text;
    }

    /// <summary>Maps, Reduce, AdditionalSources, AdditionalAssemblies or Fields.</summary>
    public string IndexDefinitionProperty { get; }

    /// <summary>Which text of it, such as "Maps[0]" or "Util.cs"; null when it is about all.</summary>
    public string? File { get; }

    /// <summary>The whole text.</summary>
    public string ProblematicText { get; }

    /// <summary>1-based, in <see cref="ProblematicText"/>; 0 when there is none.</summary>
    public int Line { get; init; }

    /// <summary>1-based; 0 when there is none.</summary>
    public int Column { get; init; }

    protected override IReadOnlyList<RefusalFact> Facts =>
    [
        new("IndexDefinitionProperty", IndexDefinitionProperty), new("ProblematicText", ProblematicText), new("File", File),
        new("Line", Line), new("Column", Column),
    ];
}
