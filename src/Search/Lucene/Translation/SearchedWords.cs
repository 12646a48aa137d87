using Jackdaw.Search.Analysis;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Lucene.Matching;
using Jackdaw.Search.Queries;
using Lucene.Net.Index;

namespace Jackdaw.Search.Lucene.Translation;

/// <summary>A word that a search looks for in a field.</summary>
/// <param name="Ordinal">Its place among the words.</param>
/// <param name="Matches">Asked of terms.</param>
internal readonly record struct SearchedWord(int Ordinal, Func<string, bool> Matches);

/// <summary>Collects the words that a search looks for in a field; those that must not be there are none.</summary>
internal sealed class SearchedWords
{
    private readonly IndexFields _fields;
    private readonly string _field;
    private readonly TextAnalyzer _analyzer;
    private readonly List<SearchedWord> _words = [];

    private SearchedWords(IndexFields fields, string field)
    {
        _fields = fields;
        _field = field;
        _analyzer = IndexTerms.AnalyzerOf(fields.Find(field));
    }

    public static IReadOnlyList<SearchedWord> Of(SearchNode node, string field, IndexFields fields)
    {
        var words = new SearchedWords(fields, field);
        words.Collect(node);
        return words._words;
    }

    // As deep as the search, which was run before.
    private void Collect(SearchNode node)
    {
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
            case WildcardNode wildcard when wildcard.Field == _field:
                AddPattern(wildcard.Pattern);
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
            case LuceneNode lucene when lucene.Field == _field:
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

    private void CollectLucene(LuceneNode node)
    {
        HashSet<Term> terms = [];
        new QueryTranslator(_fields, null, null, CancellationToken.None).Translate(node).ExtractTerms(terms);
        foreach (Term term in terms.Where(term => term.Field == _field))
        {
            string text = term.Text;
            Add(found => found == text);
        }
    }

    private void Add(string text)
    {
        foreach (TextToken token in AnalyzedText.Of(_fields.Find(_field), text))
        {
            Add(term => term == token.Term);
        }
    }

    private void AddPattern(string pattern)
    {
        if (pattern.AsSpan().Trim('*').Length > 0)
        {
            Add(new WildcardPattern(_analyzer.Normalize(pattern)).IsMatch);
        }
    }

    private void Add(Func<string, bool> matches) => _words.Add(new SearchedWord(_words.Count, matches));
}
