using System.Linq.Expressions;
using System.Reflection;
using System.Text.Json.Serialization;
using System.Text.RegularExpressions;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Translation;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Indexes.Translation;

/// <summary>What the texts of one definition share: names of properties, the fields, and the problems found so far.</summary>
/// <param name="indexName">For messages.</param>
/// <param name="resultType">The type whose properties are the fields; <see cref="object"/> for none.</param>
/// <param name="sources">Texts of additional sources.</param>
internal sealed class IndexTextContext(string indexName, DocumentConventions conventions, Type resultType, IEnumerable<string> sources)
{
    private readonly List<TranslationProblem> _problems = [];
    private readonly string[] _sources = [.. sources];

    public string IndexName => indexName;

    public DocumentConventions Conventions => conventions;

    public TranslationContext Names { get; } = new(conventions, new DocumentSerializer(conventions));

    public void Add(Expression fragment, string reason, string hint) => Add(Expressions.Describe(fragment), reason, hint);

    public void Add(string fragment, string reason, string hint)
    {
        var problem = new TranslationProblem(fragment, reason, hint);
        if (!_problems.Contains(problem))
        {
            _problems.Add(problem);
        }
    }

    /// <exception cref="IndexTranslationException">There was a problem.</exception>
    public void ThrowProblems()
    {
        if (_problems.Count > 0)
        {
            throw new IndexTranslationException(indexName, _problems);
        }
    }

    /// <summary>Name of a property as documents have it.</summary>
    public string NameOf(MemberInfo member)
    {
        if (member.GetCustomAttribute<JsonIgnoreAttribute>() is { Condition: JsonIgnoreCondition.Always })
        {
            Add($"{member.DeclaringType?.Name}.{member.Name}", "The property is not in documents.", "Compute it in the map, or take [JsonIgnore] away.");
        }

        return Names.NameOf(member);
    }

    /// <summary>Name of a field: the name of the result's property that corresponds to it.</summary>
    [System.Diagnostics.CodeAnalysis.UnconditionalSuppressMessage(
        "Trimming", "IL2070", Justification = "A property that is gone has no name of its own: the field is named as in the map.")]
    public string FieldNameOf(MemberInfo member) => member.Name == "_" ? "_"
        : Names.NameOf(resultType.GetMember(member.Name).FirstOrDefault(own => own is PropertyInfo or FieldInfo) ?? member);

    /// <summary>Name of a path of the result as options of fields use it; null if it is not a path.</summary>
    public string? FieldPathOf(Expression path)
    {
        string? dotted = PathOf(path);
        return dotted is null ? null : conventions.GetIndexFieldName(dotted);
    }

    /// <summary>Whether an additional source declares the type.</summary>
    public bool IsInSources(Type type) =>
        _sources.Any(text => Regex.IsMatch(text, $@"\b(class|struct|record|enum|interface)\s+{Regex.Escape(type.Name)}\b"));

    private string? PathOf(Expression path)
    {
        switch (Expressions.Strip(path))
        {
            case MemberExpression { Member.Name: "Value", Expression: { } nullable } when Expressions.IsNullable(nullable.Type):
                return PathOf(nullable);
            case MemberExpression { Expression: ParameterExpression } member:
                return Names.NameOf(member.Member);
            case MemberExpression { Expression: { } owner } member:
                return PathOf(owner) is { } outer ? $"{outer}.{Names.NameOf(member.Member)}" : null;
            case MethodCallExpression { Method.Name: "Select" or "SelectMany", Arguments: [var source, var selector] }
                when Expressions.Strip(selector) is LambdaExpression { Body: var body }:
                return PathOf(source) is { } list && PathOf(body) is { } inner ? $"{list}.{inner}" : null;
            default:
                return null;
        }
    }
}
