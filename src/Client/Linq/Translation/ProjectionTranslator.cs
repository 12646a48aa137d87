using System.Linq.Expressions;
using System.Reflection;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Translates a projection to a list of fields if that is enough, otherwise to a script.</summary>
internal sealed class ProjectionTranslator(FieldResolver fields, RqlQuery query, TranslationProblems problems, string alias)
{
    /// <summary>Name of the one property of a row that is a single computed value.</summary>
    private const string Single = "Result";

    /// <summary>Translates.</summary>
    /// <param name="body">What is made of a row.</param>
    /// <param name="root">Stands for the document.</param>
    /// <param name="group">The group; null if rows are documents.</param>
    /// <returns>The property that is the result; null if the row is the result.</returns>
    public string? Translate(Expression body, ParameterExpression? root, GroupScope? group)
    {
        Expression projected = Expressions.Strip(body);
        if (fields.Context.IsNumberOnlyHere(body))
        {
            problems.Add(body, "It is not a number in documents.", "Select the value itself, and convert it in the program.");
            return null;
        }

        if (MembersOf(projected) is not { } members)
        {
            bool isField = TryField(projected, null, group) is not null;
            string name = isField ? PropertyOf(projected, group) : Single;
            return WriteMembers([(name, projected)], root, group) ? name : null;
        }

        if (members.Count == 0)
        {
            problems.Add(projected, "It selects nothing.", "Name the members that you want.");
        }

        WriteMembers(members, root, group);
        return null;
    }

    /// <summary>Selects members of a type by their names.</summary>
    public void Select(IReadOnlyList<MemberInfo> members)
    {
        foreach (MemberInfo member in members)
        {
            string name = fields.Context.NameOf(member);
            query.Selected.Add(fields.Context.IsIdentity(member)
                ? new RqlSelected(new TextOperand("id()"), name)
                : ToSelected(new RqlPath([new PathSegment(name, null)], typeof(object)), name));
        }
    }

    /// <summary>Selects fields by their paths.</summary>
    /// <param name="isIdentity">Whether a path is the id.</param>
    /// <returns>The property that is the result; null if the row is the result.</returns>
    public string? Select(IReadOnlyList<RqlPath> paths, Func<RqlPath, bool> isIdentity, bool isValue)
    {
        foreach (RqlPath path in paths)
        {
            RqlPath read = isIdentity(path) ? path with { IsId = true } : path;
            query.Selected.Add(ToSelected(read, NameOf(path)));
        }

        return isValue ? NameOf(paths[0]) : null;
    }

    private static string NameOf(RqlPath path) => path.Steps.Count == 0 ? "Id" : path.LastName;

    private bool WriteMembers(IReadOnlyList<(string Name, Expression Value)> members, ParameterExpression? root, GroupScope? group)
    {
        RqlSelected?[] selected = [.. members.Select(member => TryField(member.Value, member.Name, group))];
        if (selected.All(item => item is not null))
        {
            query.Selected.AddRange(selected!);
            return true;
        }

        new ScriptProjectionWriter(fields, query, problems, alias).Write(members, root, group);
        return true;
    }

    private RqlSelected? TryField(Expression value, string? name, GroupScope? group)
    {
        if (fields.Context.IsNumberOnlyHere(value))
        {
            return null;
        }

        if (group is not null)
        {
            return TryGroupField(value, name, group);
        }

        if (fields.TryFind(value) is { IsDocument: false } path)
        {
            return ToSelected(path, name ?? path.LastName);
        }

        bool isValue = value is not LetExpression && !Expressions.UsesParameter(value) && name is not null && MembersOf(Expressions.Strip(value)) is null;
        return isValue && CapturedValues.TryRead(value, out object? captured, out _) && Expressions.IsLeaf(value.Type)
            ? new RqlSelected(new ValueOperand(fields.Context.ToParameter(captured), CapturedValues.Origin(ReadUse.Parameter)), name) : null;
    }

    private static RqlSelected? TryGroupField(Expression value, string? name, GroupScope group)
    {
        if (group.TryKey(value) is { } key)
        {
            // A single key is key(); of several keys, each has its path.
            string text = key.Member is null ? "key()" : key.Path.Text;
            return new RqlSelected(new TextOperand(text), key.Member is not null && key.Path.IsSimple && key.Path.Name == name ? null : name ?? "Key");
        }

        return group.IsWholeKey(value) && group.Keys.All(part => part.Member == part.Path.Name) ? new RqlSelected(new TextOperand("key()"), name ?? "Key")
            : group.TryAggregate(Expressions.Strip(value)) is { } call ? new RqlSelected(call, name ?? "Value")
            : null;
    }

    // A text in quotes alone would be that text; after the document's name it is a field.
    private RqlSelected ToSelected(RqlPath path, string name)
    {
        if (path.IsId)
        {
            return new RqlSelected(new TextOperand("id()"), name);
        }

        bool isPlain = RqlNames.IsIdentifier(path.Steps[0].Name!) && !(path.IsSimple && RqlNames.IsWord(path.Name));
        query.Alias = isPlain ? query.Alias : alias;
        string text = isPlain ? path.Text : $"{alias}.{RqlNames.Name(path.Steps[0].Name!)}{path.Text[RqlNames.FirstName(path.Steps[0].Name!).Length..]}";
        return new RqlSelected(new TextOperand(text), path.IsSimple && isPlain && path.Name == name ? null : name);
    }

    private string PropertyOf(Expression value, GroupScope? group) =>
        group is null ? fields.TryFind(value) is { IsId: false } path ? path.LastName : "Id"
        : group.TryAggregate(value) is not null ? "Value" : "Key";

    /// <summary>The members of a new object and their values; null when it is not a new object.</summary>
    public static List<(string Name, Expression Value)>? MembersOf(Expression expression, Func<MemberInfo, string> nameOf) => expression switch
    {
        NewExpression { Members: { } members } anonymous => [.. members.Select((member, i) => (nameOf(member), anonymous.Arguments[i]))],
        NewExpression { Constructor: { } constructor } record when !Expressions.IsLeaf(record.Type) => MembersOf(record, constructor, nameOf),
        MemberInitExpression init => MembersOf(init, nameOf),
        _ => null,
    };

    private List<(string Name, Expression Value)>? MembersOf(Expression expression) =>
        Expressions.UsesParameter(expression) || expression is NewExpression { Members: not null } or MemberInitExpression
            ? MembersOf(expression, fields.Context.NameOf) : null;

    private static List<(string Name, Expression Value)>? MembersOf(MemberInitExpression init, Func<MemberInfo, string> nameOf)
    {
        if (MembersOf(init.NewExpression, nameOf) is not { } members)
        {
            return null;
        }

        foreach (MemberBinding binding in init.Bindings)
        {
            if (binding is not MemberAssignment assignment)
            {
                return null;
            }

            members.Add((nameOf(binding.Member), assignment.Expression));
        }

        return members;
    }

    // new Row(x.Name, x.Age): properties that are called like the parameters.
    private static List<(string Name, Expression Value)>? MembersOf(NewExpression record, ConstructorInfo constructor, Func<MemberInfo, string> nameOf)
    {
        List<(string Name, Expression Value)> members = [];
        foreach (ParameterInfo parameter in constructor.GetParameters())
        {
            if (MemberNamed(record.Type, parameter.Name!) is not { } member)
            {
                return null;
            }

            members.Add((nameOf(member), record.Arguments[parameter.Position]));
        }

        return members;
    }

    [System.Diagnostics.CodeAnalysis.UnconditionalSuppressMessage("Trimming", "IL2070",
        Justification = "A row that a query makes is read by the serializer, which needs its properties too.")]
    private static PropertyInfo? MemberNamed(Type type, string name) =>
        type.GetProperty(name, BindingFlags.Public | BindingFlags.Instance | BindingFlags.IgnoreCase);
}
