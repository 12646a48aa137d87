using Jackdaw.Search.Analysis;
using Jackdaw.Search.Analysis.Reading;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Matching;
using Jackdaw.Search.Patterns;
using Jackdaw.Search.Queries;
using Lucene.Net.Index;
using Lucene.Net.Search;

namespace Jackdaw.Search.Lucene.Translation;

/// <summary>The words that a search looks for in a field, without the words that must not occur. One thread.</summary>
internal sealed class SearchedWords
{
    /// <summary>The most words and patterns of a search. Each word of a text may be compared with all patterns.</summary>
    private const int WordsMax = 1024;

    private readonly IndexFields _fields;
    private readonly string _field;
    private readonly TextAnalyzer _analyzer;
    private readonly CancellationToken _cancellation;
    private readonly Dictionary<string, int> _words = new(StringComparer.Ordinal);
    private readonly List<(int Ordinal, Func<string, bool> Matches)> _patterns = [];
    private int _count;

    private SearchedWords(IndexFields fields, string field, CancellationToken cancellation)
    {
        _cancellation = cancellation;
        _fields = fields;
        _field = field;
        _analyzer = TextAnalyzers.Of(fields.Find(field));
    }

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
        foreach ((int ordinal, Func<string, bool> matches) in _patterns)
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
            case IntersectNode intersect:
                CollectAll(intersect.Nodes);
                break;
            case BoostNode boost:
                Collect(boost.Node);
                break;
            case TermNode { Value: TextValue text } term when term.Field == _field:
                Add(text.Text);
                break;
            case PrefixNode prefix when prefix.Field == _field:
                AddPattern(prefix.Text + "*");
                break;
            case SuffixNode suffix when suffix.Field == _field:
                AddPattern("*" + suffix.Text);
                break;
            case ContainsNode part when part.Field == _field:
                AddPattern("*" + part.Text + "*");
                break;
            case WildcardNode wildcard when wildcard.Field == _field:
                AddPattern(wildcard.Pattern, wildcard.HasSingle);
                break;
            case RegexNode regex when regex.Field == _field:
                Add(new RegexMatcher(regex.Pattern).IsMatch);
                break;
            case FuzzyNode fuzzy when fuzzy.Field == _field:
                int[] characters = TermDistance.ToCharacters(_analyzer.Normalize(fuzzy.Text));
                int edits = TermDistance.EditsOf(characters.Length, fuzzy.Similarity);
                Add(term => TermDistance.IsWithin(characters, TermDistance.ToCharacters(term), edits));
                break;
            case FullTextNode text when text.Field == _field:
                CollectText(text);
                break;
            case PhraseNode phrase when phrase.Field == _field:
                foreach (string term in phrase.Words.Select(word => word.Term).Distinct())
                {
                    AddWord(term);
                }

                break;
            case ClassicQueryNode lucene when lucene.Field == _field:
                CollectLucene(lucene);
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

    private void CollectText(FullTextNode node)
    {
        foreach (string word in TextWords.Split(node.Text))
        {
            if (word.Contains('*', StringComparison.Ordinal))
            {
                AddPattern(word);
            }
            else
            {
                Add(word);
            }
        }
    }

    private void CollectLucene(ClassicQueryNode node)
    {
        Collect(new QueryTranslator(_fields, null, null, _cancellation).Translate(node));
    }

    private void Collect(Query query)
    {
        switch (query)
        {
            case BooleanQuery all:
                foreach (BooleanClause clause in all.Clauses.Where(clause => !clause.IsProhibited))
                {
                    Collect(clause.Query);
                }

                break;
            case ConstantScoreQuery { Query: { } inner }:
                Collect(inner);
                break;
            case TermPredicateQuery pattern when pattern.Field == _field:
                Add(pattern.Matches);
                break;
            case MultiTermQuery:
                break; // Ranges and terms near others: their words are not listed anywhere.
            default:
                HashSet<Term> terms = [];
                query.ExtractTerms(terms);
                foreach (Term term in terms.Where(term => term.Field == _field))
                {
                    AddWord(term.Text);
                }

                break;
        }
    }

    private void Add(string text)
    {
        foreach (TextToken token in AnalyzedText.Of(_fields.Find(_field), text))
        {
            AddWord(token.Term);
        }
    }

    private void AddPattern(string pattern, bool hasSingle = true)
    {
        if (pattern.AsSpan().Trim('*').Length > 0)
        {
            Add(new WildcardPattern(AnalyzedText.PatternOf(_fields.Find(_field), pattern, hasSingle), hasSingle).IsMatch);
        }
    }

    private void AddWord(string term) => _words.TryAdd(term, Next());

    private void Add(Func<string, bool> matches) => _patterns.Add((Next(), matches));

    private int Next() => _count < WordsMax ? _count++ : throw new InvalidSearchException(
        $"The search has more than {WordsMax} words in field '{_field}', which is the most that can be highlighted: search for fewer, or leave "
        + "'highlight' out.");
}
