using Jackdaw.Search.Analysis.Reading;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Analysis.Highlighting;

/// <summary>The words that a search looks for in a field, without the words that must not occur. One thread.</summary>
public sealed class SearchedWords
{
    /// <summary>The most words and patterns of a search. Each word of a text may be compared with all patterns.</summary>
    private const int WordsMax = 1024;

    private readonly IndexFields _fields;
    private readonly string _field;
    private readonly CancellationToken _cancellation;
    private readonly Dictionary<string, int> _words = new(StringComparer.Ordinal);
    private readonly List<(int Ordinal, PatternTest Matches)> _patterns = [];
    private int _count;

    private SearchedWords(IndexFields fields, string field, CancellationToken cancellation)
    {
        _cancellation = cancellation;
        _fields = fields;
        _field = field;
    }

    /// <summary>Collects the words of a condition.</summary>
    /// <param name="fields">The settings of the fields of the index.</param>
    /// <exception cref="InvalidSearchException">There are too many words.</exception>
    public static SearchedWords Of(SearchNode node, string field, IndexFields fields, CancellationToken cancellation)
    {
        var words = new SearchedWords(fields, field, cancellation);
        words.Collect(node);
        return words;
    }

    /// <summary>The index of the first searched word that a term equals or matches.</summary>
    /// <returns>Null when the term is not a searched word.</returns>
    /// <exception cref="InvalidSearchException">A pattern takes too long.</exception>
    public int? Find(string term)
    {
        int? word = _words.TryGetValue(term, out int known) ? known : null;
        foreach ((int ordinal, PatternTest matches) in _patterns)
        {
            if (ordinal > word)
            {
                break;
            }

            if (matches(term))
            {
                return ordinal;
            }
        }

        return word;
    }

    // The recursion is as deep as the search, which was run before.
    private void Collect(SearchNode node)
    {
        _cancellation.ThrowIfCancellationRequested();
        switch (node)
        {
            case AndNode and:
                CollectAll(and.Nodes);
                break;
            case OrNode or:
                CollectAll(or.Nodes);
                break;
            case OptionalNode optional:
                CollectAll(optional.Nodes);
                break;
            case IntersectNode intersect:
                CollectAll(intersect.Nodes);
                break;
            case BoostNode boost:
                Collect(boost.Node);
                break;
            case NotNode or ScoredNode:
                break;
            default:
                if (SearchTree.FieldOf(node) == _field)
                {
                    CollectSingle(node);
                }

                break;
        }
    }

    private void CollectAll(IReadOnlyList<SearchNode> nodes)
    {
        foreach (SearchNode node in nodes)
        {
            Collect(node);
        }
    }

    // Words of ranges and of lists are not marked.
    private void CollectSingle(SearchNode node)
    {
        switch (node)
        {
            case TermNode { Value: TextValue text }:
                foreach (TextToken token in AnalyzedText.Of(_fields.Find(_field), text.Text))
                {
                    AddWord(token.Term);
                }

                break;
            case PhraseNode phrase:
                foreach (PhraseWord word in phrase.Words)
                {
                    AddWord(word.Term);
                }

                break;
            case FullTextNode text:
                Collect(FullText.Read(text, _fields));
                break;
            case ClassicQueryNode text:
                Collect(ClassicQuery.Parse(text, _fields));
                break;
            case FuzzyNode fuzzy:
                AddPattern(NearTerm.Of(fuzzy, _fields).IsMatch);
                break;
            case NearNode near:
                AddPattern(NearTerm.Of(near, _fields).IsMatch);
                break;
            default:
                if (TermPattern.Of(node, _fields) is { IsOfAll: false } pattern)
                {
                    AddPattern(pattern.IsMatch);
                }

                break;
        }
    }

    private void AddWord(string term) => _words.TryAdd(term, Next());

    private void AddPattern(PatternTest matches) => _patterns.Add((Next(), matches));

    private int Next() => _count < WordsMax ? _count++ : throw new InvalidSearchException(
        $"The search has more than {WordsMax} words in field '{_field}', which is the most that can be highlighted: search for fewer, or leave "
        + "'highlight' out.");
}
