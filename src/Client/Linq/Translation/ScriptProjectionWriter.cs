using System.Linq.Expressions;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Rows that are computed: an object of a script.</summary>
internal sealed class ScriptProjectionWriter(FieldResolver fields, RqlQuery query, TranslationProblems problems, string alias)
{
    public void Write(IReadOnlyList<(string Name, Expression Value)> members, ParameterExpression? root, GroupScope? group)
    {
        _ = (fields, query, alias, root, group);
        problems.Add(members[0].Value, "It is computed.", "Select fields.");
    }
}
