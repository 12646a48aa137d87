using Lucene.Net.Analysis;
using Lucene.Net.Analysis.TokenAttributes;

namespace Jackdaw.Search.Analysis;

/// <summary>An analyzer in which a word that was removed leaves no gap: its neighbours are adjacent, for phrases and for proximity. So "fluent in French" has
/// the phrase "fluent french".</summary>
internal sealed class AdjacentWords(Analyzer made) : AnalyzerWrapper(GLOBAL_REUSE_STRATEGY)
{
    protected override Analyzer GetWrappedAnalyzer(string fieldName) => made;

    protected override TokenStreamComponents WrapComponents(string fieldName, TokenStreamComponents components) =>
        new(components.Tokenizer, new ClosingFilter(components.TokenStream));

    private sealed class ClosingFilter : TokenFilter
    {
        private readonly IPositionIncrementAttribute _step;

        public ClosingFilter(TokenStream words)
            : base(words) => _step = AddAttribute<IPositionIncrementAttribute>();

        public override bool IncrementToken()
        {
            if (!m_input.IncrementToken())
            {
                return false;
            }

            if (_step.PositionIncrement > 1)
            {
                _step.PositionIncrement = 1;
            }

            return true;
        }

        // Words that were removed at the end leave no gap to the next value of the field either.
        public override void End()
        {
            base.End();
            _step.PositionIncrement = 0;
        }
    }
}
