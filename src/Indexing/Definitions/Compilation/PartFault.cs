namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Something in one text of a definition that cannot be compiled. It becomes the exception that callers
/// see.</summary>
/// <param name="position">The position in the user's text.</param>
/// <param name="message">What is wrong and what to do instead.</param>
/// <param name="code">Code of the compiler's diagnostic; null for our own.</param>
internal sealed class PartFault(int position, string message, string? code = null) : Exception(message)
{
    public int Position => position;

    public string? Code => code;
}
