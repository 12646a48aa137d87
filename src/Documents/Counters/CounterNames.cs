using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Counters;

/// <summary>Rules for names of counters.</summary>
internal static class CounterNames
{
    /// <summary>The longest name, in bytes of UTF-8.</summary>
    public const int NameBytesMax = DocumentIds.IdBytesMax;

    /// <summary>What is wrong with a name and what to do, for an answer.</summary>
    public static string Describe(DocumentIdFault fault) => fault switch
    {
        DocumentIdFault.Empty => "The name of a counter is empty; name the counter.",
        DocumentIdFault.TooLong => $"The name of a counter is longer than {NameBytesMax} bytes of UTF-8; use a shorter one.",
        DocumentIdFault.HoldsNul => "The name of a counter holds the character NUL (U+0000); leave it out.",
        _ => "The name of a counter is not valid Unicode text; send it in UTF-8.",
    };
}
