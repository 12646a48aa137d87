using Jackdaw.Search.Analysis.Reading;
using Jackdaw.Search.Lucene.Matching;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util.Automaton;

namespace Jackdaw.Search.Lucene.Translation;

/// <summary>Makes queries that find terms by patterns and by similarity.</summary>
internal static class PatternQueries
{
    /// <summary>The most edits for which the engine finds terms without reading all of them.</summary>
    private const int AutomatonEditsMax = 2;

    /// <summary>Finds entries with a term that meets a condition.</summary>
    public static Query Terms(string field, TermPattern pattern, CancellationToken cancellation) =>
        new TermPredicateQuery(field, pattern.Text, pattern.Prefix, term => pattern.IsMatch(term), cancellation) { SeesLongTexts = true };

    /// <summary>Finds entries with a term that is near another one.</summary>
    public static Query Near(string field, NearTerm near, CancellationToken cancellation)
    {
        var term = new Term(field, near.Form);
        return near.Edits == 0 ? new ConstantScoreQuery(new SingleTermQuery(term))
            : near.Edits <= AutomatonEditsMax
                ? new AutomatonQuery(term, new LevenshteinAutomata(near.Form, withTranspositions: false).ToAutomaton(near.Edits))
            : new TermPredicateQuery(field, $"{near.Form}~{near.Edits}", "", other => near.IsMatch(other), cancellation);
    }
}
