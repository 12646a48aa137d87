using System.Linq.Expressions;
using System.Reflection;
using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Indexes.Translation;

/// <summary>Names of the parameters of lambdas, and what they stand for: which are documents, and which members of new objects hold
/// documents.</summary>
internal sealed class RowScope
{
    /// <summary>Names that mean something else in a definition.</summary>
    private static readonly HashSet<string> s_taken = ["docs", "results", "timeSeries", "counters", "dynamic"];

    private readonly Dictionary<ParameterExpression, string> _names = [];
    private readonly Dictionary<ParameterExpression, Expression> _elements = [];
    private readonly HashSet<ParameterExpression> _documents = [];

    public string? NameOf(ParameterExpression parameter) => _names.GetValueOrDefault(parameter);

    public void BindDocument(ParameterExpression parameter) => _documents.Add(parameter);

    /// <summary>Gives a parameter its name while its lambda is written.</summary>
    /// <param name="element">What it stands for; null if that is not known.</param>
    public string Enter(ParameterExpression parameter, Expression? element)
    {
        string name = Clean(parameter.Name ?? "item");
        string free = name;
        for (int i = 1; _names.ContainsValue(free); i++)
        {
            free = name + i;
        }

        _names[parameter] = free;
        if (element is not null)
        {
            _elements[parameter] = element;
        }

        return CSharpText.Name(free);
    }

    public void Leave(ParameterExpression parameter) => _names.Remove(parameter);

    /// <summary>A name that no parameter has.</summary>
    public string Free(string name)
    {
        string free = name;
        for (int i = 1; _names.ContainsValue(free); i++)
        {
            free = name + i;
        }

        return free;
    }

    /// <summary>The name of a variable as the compiler gave it, or as the user did.</summary>
    public static string Clean(string name)
    {
        if (name.StartsWith("<>h__TransparentIdentifier", StringComparison.Ordinal))
        {
            return "this" + name["<>h__TransparentIdentifier".Length..];
        }

        string clean = string.Concat(name.Select(c => char.IsLetterOrDigit(c) || c == '_' ? c : '_'));
        return s_taken.Contains(clean) || !char.IsLower(clean[0]) ? "x" + clean.TrimStart('_') : clean;
    }

    /// <summary>Whether the value is a whole document, whose id is not a property.</summary>
    public bool IsDocument(Expression expression) => Expressions.Strip(expression) switch
    {
        ParameterExpression parameter => _documents.Contains(parameter)
            || (_elements.TryGetValue(parameter, out Expression? element) && element != parameter && IsDocument(element)),
        MemberExpression member => ValueOf(member) is { } value && IsDocument(value),
        ConditionalExpression choice => IsDocument(choice.IfTrue) || IsDocument(choice.IfFalse),
        BinaryExpression { NodeType: ExpressionType.Coalesce } choice => IsDocument(choice.Left),
        BinaryExpression { NodeType: ExpressionType.ArrayIndex } item => ElementOf(item.Left) is { } element && IsDocument(element),
        MethodCallExpression call when IsLoad(call) => true,
        MethodCallExpression { Method.Name: "get_Item", Object: { } list } => ElementOf(list) is { } element && IsDocument(element),
        MethodCallExpression { Arguments: [var source, ..] } call when call.Method.DeclaringType == typeof(Enumerable)
            && call.Method.Name is "First" or "FirstOrDefault" or "Last" or "LastOrDefault" or "Single" or "SingleOrDefault" or "ElementAt"
                or "ElementAtOrDefault" => ElementOf(source) is { } element && IsDocument(element),
        _ => false,
    };

    /// <summary>What the elements of a sequence are; null if that is not known.</summary>
    public Expression? ElementOf(Expression sequence)
    {
        switch (Expressions.Strip(sequence))
        {
            case ParameterExpression parameter:
                return _documents.Contains(parameter) ? parameter : null;
            case MethodCallExpression call when IsLoad(call):
                return call;
            case MethodCallExpression { Arguments: [var source, ..] } call when call.Method.DeclaringType == typeof(Enumerable):
                return call.Method.Name switch
                {
                    "Select" => Expressions.Lambda(call.Arguments[1]).Body,
                    "SelectMany" => call.Arguments.Count == 2 ? ElementOf(Expressions.Lambda(call.Arguments[1]).Body)
                        : Expressions.Lambda(call.Arguments[2]).Body,
                    "GroupBy" or "Join" or "GroupJoin" or "Zip" => null,
                    _ => ElementOf(source),
                };
            default:
                return null;
        }
    }

    /// <summary>The new object that an expression makes; null if it makes none, or if that is not known.</summary>
    public Expression? Made(Expression expression) => Expressions.Strip(expression) switch
    {
        NewExpression or MemberInitExpression => Expressions.Strip(expression),
        ParameterExpression parameter when _elements.TryGetValue(parameter, out Expression? element) && element != parameter => Made(element),
        MemberExpression member => ValueOf(member) is { } value ? Made(value) : null,
        _ => null,
    };

    /// <summary>Names and values of a new object; null if its constructor has arguments that are not properties.</summary>
    public static IReadOnlyList<(MemberInfo Member, Expression Value)>? MembersOf(Expression made)
    {
        switch (made)
        {
            case MemberInitExpression init:
                return init.Bindings.All(binding => binding is MemberAssignment) && MembersOf(init.NewExpression) is { } first
                    ? [.. first, .. init.Bindings.Cast<MemberAssignment>().Select(binding => (binding.Member, binding.Expression))]
                    : null;
            case NewExpression { Members: { } members } anonymous:
                return [.. members.Zip(anonymous.Arguments)];
            case NewExpression { Arguments.Count: 0 }:
                return [];
            case NewExpression { Constructor: { } constructor } record:
                ParameterInfo[] parameters = constructor.GetParameters();
                List<(MemberInfo, Expression)> named = [];
                for (int i = 0; i < parameters.Length; i++)
                {
                    if (PropertyOf(constructor.DeclaringType!, parameters[i].Name!) is not { } property)
                    {
                        return null;
                    }

                    named.Add((property, record.Arguments[i]));
                }

                return named;
            default:
                return null;
        }
    }

    [System.Diagnostics.CodeAnalysis.UnconditionalSuppressMessage(
        "Trimming", "IL2070", Justification = "A type without its properties gives a message that says what to write instead.")]
    private static PropertyInfo? PropertyOf(Type type, string name) =>
        type.GetProperties().FirstOrDefault(property => string.Equals(property.Name, name, StringComparison.OrdinalIgnoreCase));

    private Expression? ValueOf(MemberExpression member) => member.Expression is { } owner && Made(owner) is { } made
        ? MembersOf(made)?.FirstOrDefault(one => one.Member.Name == member.Member.Name).Value
        : null;

    private static bool IsLoad(MethodCallExpression call) => call.Method.Name == "LoadDocument" && call.Method.IsDefined(typeof(IndexFunctionAttribute));
}
