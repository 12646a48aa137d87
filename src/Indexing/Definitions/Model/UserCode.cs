using Jackdaw.Json.Refusals;

namespace Jackdaw.Indexing.Definitions.Model;

/// <summary>An analyzer or a sorter as its user wrote it. Immutable.</summary>
/// <param name="Name">The name of its class, which index definitions or queries use.</param>
/// <param name="Code">Its code in C#.</param>
internal sealed record UserCode(string Name, string Code);

/// <summary>The code of an analyzer cannot be used.</summary>
/// <param name="message">What is wrong and what to do.</param>
internal sealed class AnalyzerCompilationException(string message, Exception? inner = null)
    : RefusedException(RefusalKind.AnalyzerCompilation, message, inner);

/// <summary>The code of a sorter cannot be used.</summary>
/// <param name="message">What is wrong and what to do.</param>
internal sealed class SorterCompilationException(string message, Exception? inner = null)
    : RefusedException(RefusalKind.SorterCompilation, message, inner);
