using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Analysis.Reading;

/// <summary>A term that is searched fuzzily: other terms are found that differ from it by some edits. Immutable.</summary>
public sealed class NearTerm
{
    private readonly int[] _characters;

    private NearTerm(string form, int[] characters, int edits)
    {
        Form = form;
        Edits = edits;
        _characters = characters.Length <= TermDistance.LengthMax
            ? characters
            : throw new InvalidSearchException($"A text that is searched fuzzily has at most {TermDistance.LengthMax} characters.");
    }

    /// <summary>The text in the form of the field's terms.</summary>
    public string Form { get; }

    /// <summary>The characters of the text, also those beyond the first 65,536.</summary>
    public ReadOnlySpan<int> Characters => _characters;

    /// <summary>The most edits.</summary>
    public int Edits { get; }

    /// <summary>Terms with a similarity.</summary>
    /// <exception cref="InvalidSearchException">The similarity is out of bounds, or the text is too long.</exception>
    public static NearTerm Of(FuzzyNode node, IndexFields fields)
    {
        if (!(node.Similarity is > 0 and <= 1))
        {
            throw new InvalidSearchException($"A similarity of {node.Similarity} is not possible: use a number above 0, up to 1.");
        }

        string form = TextAnalyzers.Of(fields.Find(node.Field)).Normalize(node.Text);
        int[] characters = TermDistance.ToCharacters(form);
        return new NearTerm(form, characters, TermDistance.EditsOf(characters.Length, node.Similarity));
    }

    /// <summary>Terms within a number of edits.</summary>
    /// <exception cref="InvalidSearchException">The number of edits is negative, or the text is too long.</exception>
    public static NearTerm Of(NearNode node, IndexFields fields)
    {
        if (node.Edits < 0)
        {
            throw new InvalidSearchException($"{node.Edits} edits are not possible: use 0 or more.");
        }

        string form = TextAnalyzers.Of(fields.Find(node.Field)).Normalize(node.Text);
        return new NearTerm(form, TermDistance.ToCharacters(form), node.Edits);
    }

    /// <summary>Whether a term is near enough.</summary>
    public bool IsMatch(ReadOnlySpan<char> term) => TermDistance.IsWithin(_characters, TermDistance.ToCharacters(term), Edits);
}
