using System.Linq.Expressions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Collects the parts of a query that cannot be translated while the rest is translated.</summary>
internal sealed class TranslationProblems
{
    private readonly List<TranslationProblem> _problems = [];

    public IReadOnlyList<TranslationProblem> All => _problems;

    public void Add(Expression fragment, string reason, string hint) => Add(Expressions.Describe(fragment), reason, hint);

    public void Add(string fragment, string reason, string hint)
    {
        var problem = new TranslationProblem(fragment, reason, hint);
        if (!_problems.Contains(problem))
        {
            _problems.Add(problem);
        }
    }

    /// <summary>Notes a problem of a condition.</summary>
    public RqlCondition Refuse(Expression fragment, Refusal refusal) => Refuse(fragment, refusal.Reason, refusal.Hint);

    /// <inheritdoc cref="Refuse(Expression, Refusal)"/>
    public RqlCondition Refuse(Expression fragment, string reason, string hint)
    {
        Add(fragment, reason, hint);
        return new RefusedCondition();
    }
}
