using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Writes rows that are computed as an object of a script, with the documents that it loads and the variables of <c>let</c>.</summary>
internal sealed class ScriptProjectionWriter(FieldResolver fields, RqlQuery query, TranslationProblems problems, string alias)
{
    public void Write(IReadOnlyList<(string Name, Expression Value)> members, ParameterExpression? root, GroupScope? group)
    {
        var script = new ScriptWriter(fields, problems, group);
        if (group is null)
        {
            query.Alias = alias;
            script.Name(root!, alias, isDocument: true);
        }

        var lets = new LetFinder();
        foreach ((_, Expression value) in members)
        {
            lets.Visit(value);
        }

        List<string> variables = [];
        foreach (LetExpression let in lets.Found)
        {
            string name = RqlNames.Alias(let.Name);
            if (LoadedPath(let, script, group) is { } path)
            {
                query.Loads.Add(new RqlLoad(path, name));
                script.Name(let, name, isDocument: true);
            }
            else
            {
                variables.Add($"var {name} = {script.Write(let.Value)}; ");
                script.Name(let, name, script.IsDocument(let.Value));
            }
        }

        string made = script.Object(members);
        if (variables.Count == 0)
        {
            query.SelectScript = new RqlScript(made, script.Values);
        }
        else
        {
            query.OutputBody = new RqlScript($"{string.Concat(variables)}return {made};", script.Values);
        }
    }

    // let c = DocQuery.Load<Company>(o.Company): of one id in a field of the document, or of a document that was loaded before.
    private string? LoadedPath(LetExpression let, ScriptWriter script, GroupScope? group)
    {
        if (group is not null || Expressions.Strip(let.Value) is not MethodCallExpression { Arguments: [var id] } call
            || ScriptWriter.MarkerOf(call) != Marker.Load)
        {
            return null;
        }

        if (fields.TryFind(id) is { IsDocument: false, IsId: false, IsOfEach: false } path)
        {
            string first = RqlNames.Name(path.Steps[0].Name!);
            return $"{alias}.{first}{path.Text[RqlNames.FirstName(path.Steps[0].Name!).Length..]}";
        }

        return id is MemberExpression { Expression: LetExpression loaded } member && query.Loads.Any(load => load.Alias == script.NameOf(loaded))
            ? $"{script.NameOf(loaded)}.{RqlNames.Name(fields.Context.NameOf(member.Member))}" : null;
    }

    // Each once; those that others use come first.
    private sealed class LetFinder : ExpressionVisitor
    {
        public List<LetExpression> Found { get; } = [];

        protected override Expression VisitExtension(Expression node)
        {
            Expression visited = base.VisitExtension(node);
            if (node is LetExpression let && Found.All(found => found.Name != let.Name))
            {
                Found.Add(let);
            }

            return visited;
        }
    }
}
