namespace Jackdaw.Search.Analysis.Suggesting;

/// <summary>The parts of a word that another word must share to be suggested for it: runs of one or two characters of a short word, and of three or four of a
/// long one. Two words share a part only if both are divided into parts of its length, so that no word is suggested for a much longer or shorter
/// one.</summary>
internal sealed class WordParts
{
    /// <summary>Characters; a part is held in one number.</summary>
    private const int PartLengthMax = 4;

    private readonly HashSet<UInt128>[] _parts = new HashSet<UInt128>[PartLengthMax + 1];

    /// <param name="word">Its characters.</param>
    public WordParts(ReadOnlySpan<int> word)
    {
        (int min, int max) = LengthsOf(word);
        for (int length = min; length <= max; length++)
        {
            HashSet<UInt128> parts = _parts[length] = [];
            for (int at = 0; at + length <= word.Length; at++)
            {
                parts.Add(PartOf(word.Slice(at, length)));
            }
        }
    }

    /// <summary>Whether another word has one of the parts.</summary>
    public bool AreIn(ReadOnlySpan<int> word)
    {
        (int min, int max) = LengthsOf(word);
        for (int length = min; length <= max; length++)
        {
            for (int at = 0; _parts[length] is { } parts && at + length <= word.Length; at++)
            {
                if (parts.Contains(PartOf(word.Slice(at, length))))
                {
                    return true;
                }
            }
        }

        return false;
    }

    // The lengths by which spell checkers of Lucene divide words.
    private static (int Min, int Max) LengthsOf(ReadOnlySpan<int> word) => word.Length switch
    {
        > 5 => (3, 4),
        5 => (2, 3),
        _ => (1, 2),
    };

    private static UInt128 PartOf(ReadOnlySpan<int> characters)
    {
        UInt128 part = default;
        foreach (int character in characters)
        {
            part = (part << 32) | (uint)character;
        }

        return part;
    }
}
