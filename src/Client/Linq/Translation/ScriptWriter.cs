using System.Globalization;
using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.CompilerServices;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Translates expressions to JavaScript. Constants of the program are in the text, captured values are parameters.</summary>
internal sealed partial class ScriptWriter(FieldResolver fields, TranslationProblems problems, GroupScope? group)
{
    private readonly Dictionary<ParameterExpression, string> _parameters = [];
    private readonly Dictionary<string, string> _lets = new(StringComparer.Ordinal);
    private readonly HashSet<string> _documents = new(StringComparer.Ordinal);
    private readonly List<object?> _values = [];

    /// <summary>Values of the marks in what was written.</summary>
    public IReadOnlyList<object?> Values => _values;

    private TranslationContext Context => fields.Context;

    public static Marker? MarkerOf(MethodCallExpression call) => call.Method.GetCustomAttribute<TranslatedAsAttribute>()?.Marker;

    /// <summary>Gives a parameter or a <c>let</c> its name in the script.</summary>
    /// <param name="isDocument">Whether it is a document, whose id is not a property.</param>
    public void Name(Expression variable, string name, bool isDocument)
    {
        if (variable is ParameterExpression parameter)
        {
            _parameters[parameter] = name;
        }
        else if (variable is LetExpression let)
        {
            _lets[let.Name] = name;
        }

        if (isDocument)
        {
            _documents.Add(name);
        }
    }

    public string? NameOf(LetExpression let) => _lets.GetValueOrDefault(let.Name);

    /// <summary>Whether the value is a document.</summary>
    public bool IsDocument(Expression expression) => expression switch
    {
        ParameterExpression parameter => _parameters.TryGetValue(parameter, out string? name) && _documents.Contains(name),
        LetExpression let => NameOf(let) is { } name && _documents.Contains(name),
        UnaryExpression { NodeType: ExpressionType.Convert } convert => IsDocument(convert.Operand),
        MethodCallExpression call => MarkerOf(call) == Marker.Load || IsSessionLoad(call),
        _ => false,
    };

    /// <summary>An object literal.</summary>
    public string Object(IEnumerable<(string Name, Expression Value)> members) =>
        $"{{ {string.Join(", ", members.Select(member => $"{RqlNames.ScriptKey(member.Name)} : {Result(member.Value)}"))} }}";

    /// <summary>An expression that needs no parentheses where any expression is allowed.</summary>
    public string Write(Expression expression) => WriteParts(expression).Text;

    // A length of time is computed as milliseconds. A document in a row has its id as a member, as its class has it.
    private string Result(Expression value)
    {
        bool isComputed = Expressions.Plain(value.Type) == typeof(TimeSpan) && Expressions.Strip(value) is BinaryExpression;
        return isComputed ? $"convertJsTimeToTimeSpanString({Write(value)})"
            : IsDocument(value) && Context.IdentityOf(value.Type) is { } id
                ? $"(all_=>all_==null?null:Object.assign({{}}, all_, {{ {RqlNames.ScriptKey(id)} : id(all_) }}))({Write(value)})"
            : Write(value);
    }

    // As an operand of an operator that binds this tightly.
    private string Write(Expression expression, int level)
    {
        Script script = WriteParts(expression);
        return script.Level >= level ? script.Text : $"({script.Text})";
    }

    private Script WriteParts(Expression expression)
    {
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            throw new InsufficientExecutionStackException();
        }

        if (expression is LetExpression let && NameOf(let) is { } variable)
        {
            return new Script(variable);
        }

        if (group is not null && TryGroup(expression) is { } grouped)
        {
            return grouped;
        }

        bool isLambda = Expressions.Strip(expression) is LambdaExpression;
        if (!isLambda && !Expressions.UsesParameter(expression) && CapturedValues.TryRead(expression, out object? value, out _))
        {
            return Value(expression, value);
        }

        return expression switch
        {
            ParameterExpression parameter => _parameters.TryGetValue(parameter, out string? name) ? new Script(name) : Refuse(expression),
            LetExpression unnamed => WriteParts(unnamed.Value),
            MemberExpression member => Member(member),
            BinaryExpression binary => Binary(binary),
            UnaryExpression unary => Unary(unary),
            ConditionalExpression choice => new Script(
                $"{Write(choice.Test, Level.Or)}?{Write(choice.IfTrue, Level.Choice)}:{Write(choice.IfFalse, Level.Choice)}", Level.Choice),
            MethodCallExpression call => Call(call),
            LambdaExpression lambda => Lambda(lambda),
            InvocationExpression invocation => new Script($"{Write(invocation.Expression, Level.Call)}({Arguments(invocation.Arguments)})"),
            NewArrayExpression { NodeType: ExpressionType.NewArrayInit } array => new Script($"[{Arguments(array.Expressions)}]"),
            ListInitExpression list => new Script($"[{Arguments(list.Initializers.SelectMany(element => element.Arguments.Take(1)))}]"),
            NewExpression or MemberInitExpression when ProjectionTranslator.MembersOf(expression, Context.NameOf) is { } members => new Script(Object(members)),
            _ => Refuse(expression),
        };
    }

    private Script Refuse(Expression expression, string? hint = null)
    {
        problems.Add(expression, Translatable.Projected.Reason, hint ?? Translatable.Projected.Hint);
        return new Script("undefined");
    }

    private Script Value(Expression expression, object? value)
    {
        object? parameter;
        try
        {
            parameter = Context.ToParameter(value);
        }
        catch (NotSupportedException unknown)
        {
            return Refuse(expression, $"{unknown.Message} Use values of simple types.");
        }

        if (Expressions.Strip(expression) is ConstantExpression)
        {
            switch (parameter)
            {
                case null:
                    return new Script("null");
                case bool flag:
                    return new Script(flag ? "true" : "false");
                case string text:
                    return new Script(RqlNames.ScriptText(text));
                case IFormattable number when number is not (decimal or long or ulong) || number.ToString(null, CultureInfo.InvariantCulture).Length <= 15:
                    string digits = number.ToString(null, CultureInfo.InvariantCulture);
                    return new Script(digits, digits[0] == '-' ? Level.Unary : Level.Primary);
            }
        }

        return new Script(Mark(parameter));
    }

    /// <summary>A place for a value of the user, which becomes a parameter.</summary>
    public string Mark(object? value)
    {
        _values.Add(value);
        return RqlScript.Mark(_values.Count - 1);
    }

    // A value that is compared with an enum or a character: the compiler makes a number of it.
    private string Beside(Expression value, Expression other, int level)
    {
        // The compiler compares the numbers of enums and characters. Documents have the values themselves.
        value = Context.IsNumberOnlyHere(value) ? Expressions.Strip(value) : value;
        Type stored = Expressions.Plain(Expressions.Strip(other).Type);
        if ((!stored.IsEnum && stored != typeof(char)) || Expressions.UsesParameter(value) || !CapturedValues.TryRead(value, out object? number, out _)
            || number is null)
        {
            return Write(value, level);
        }

        object typed = CapturedOperators.AsStored(number, stored);
        return typed == number ? Write(value, level) : Value(Expression.Constant(typed), typed).Text;
    }

    private Script? TryGroup(Expression expression)
    {
        if (group!.TryKey(expression) is { } key)
        {
            return new Script(key.Member is null ? "key()" : $"key(){RqlNames.ScriptMember(key.Path.Name)}");
        }

        if (group.IsWholeKey(expression))
        {
            return new Script("key()");
        }

        return Expressions.Strip(expression) is not MethodCallExpression { Arguments: [ParameterExpression owner, ..] } call || owner != group.Parameter ? null
            : group.TryAggregate(call) is { } aggregate ? Aggregate(aggregate.Name, aggregate.Arguments)
            : call.Method.Name == "Average" && !Expressions.IsNullable(call.Type) && group.TrySummed(call) is { } summed
                ? IsExact(call.Type)
                    ? new Script($"exact(sum({RqlNames.ScriptText(summed.Name)}), \"/\", count())")
                    : new Script($"sum({RqlNames.ScriptText(summed.Name)})/count()", Level.Product)
            : Refuse(call, Translatable.OfGroup.Hint);
    }

    private static Script Aggregate(string name, IReadOnlyList<RqlOperand> arguments) =>
        new(arguments is [TextOperand field] ? $"{name}({RqlNames.ScriptText(field.Text.Replace("'", "", StringComparison.Ordinal))})" : $"{name}()");

    private Script Lambda(LambdaExpression lambda)
    {
        foreach (ParameterExpression parameter in lambda.Parameters)
        {
            Name(parameter, Fresh(parameter), isDocument: false);
        }

        string body = Write(lambda.Body, Level.Choice);
        string names = string.Join(", ", lambda.Parameters.Select(parameter => _parameters[parameter]));
        foreach (ParameterExpression parameter in lambda.Parameters)
        {
            _documents.Remove(_parameters[parameter]);
            _parameters.Remove(parameter);
        }

        return new Script($"{(lambda.Parameters.Count == 1 ? names : $"({names})")}=>{(body[0] == '{' ? $"({body})" : body)}", Level.Lambda);
    }

    // Two lambdas may use the same names for their parameters, but nested ones may not.
    private string Fresh(ParameterExpression parameter)
    {
        if (_parameters.TryGetValue(parameter, out string? known))
        {
            return known;
        }

        string name = RqlNames.Alias(parameter.Name is { } given && !given.StartsWith('<') ? given : "item");
        while (_parameters.ContainsValue(name) || _lets.ContainsValue(name))
        {
            name += "_";
        }

        return name;
    }

    private string Arguments(IEnumerable<Expression> arguments) => string.Join(", ", arguments.Select(argument => Write(argument, Level.Choice)));

    /// <summary>A piece of a script, and how tightly its operator binds.</summary>
    private readonly record struct Script(string Text, int Level = ScriptWriter.Level.Primary);

    private static class Level
    {
        public const int Lambda = 1;
        public const int Choice = 2;
        public const int Or = 3;
        public const int And = 4;
        public const int Equality = 8;
        public const int Relation = 9;
        public const int Sum = 11;
        public const int Product = 12;
        public const int Unary = 14;
        public const int Call = 17;
        public const int Primary = 18;
    }
}
