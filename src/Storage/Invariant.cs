using System.Diagnostics.CodeAnalysis;

namespace Jackdaw.Storage;

/// <summary>Checks that stay in Release builds on the commit, flush and recovery paths: a violation stops the
/// storage.</summary>
public static class Invariant
{
    /// <summary>Throws when the condition does not hold: a bug of ours, found before it reaches the disk.</summary>
    public static void Check([DoesNotReturnIf(false)] bool condition, string claim)
    {
        if (!condition)
        {
            throw new InvalidOperationException($"Broken invariant: {claim}. This is a bug in Jackdaw; the storage stops.");
        }
    }
}
