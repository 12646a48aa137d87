using System.Reflection;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Calls;

/// <summary>One overload: how well arguments fit it, and the call.</summary>
internal sealed class CallCandidate
{
    /// <summary>A call that C# makes only when no other one fits: the elements of the last parameter are given one by one.</summary>
    private const int ExpandedCost = 10;

    private readonly ParameterInfo[] _parameters;
    private readonly BaseType[] _types;
    private readonly BaseType? _expanded;
    private readonly Func<object?, object?[], object?> _call;
    private readonly string[]? _resultNames;
    private readonly bool _takesFormat;

    public CallCandidate(MethodBase method)
    {
        _parameters = method.GetParameters();
        _types = Array.ConvertAll(_parameters, parameter => BaseType.Of(parameter.ParameterType));
        if (_parameters is [.., { ParameterType.IsSZArray: true } last] && last.IsDefined(typeof(ParamArrayAttribute)))
        {
            _expanded = BaseType.Of(last.ParameterType.GetElementType()!);
        }

        (_call, ResultType) = method is MethodInfo function
            ? (CallOf(MethodInvoker.Create(function)), function.ReturnType)
            : (CallOf(ConstructorInvoker.Create((ConstructorInfo)method)), method.DeclaringType!);
        _takesFormat = method.Name == nameof(ToString);
        _resultNames = (method as MethodInfo)?.ReturnParameter.GetCustomAttribute<System.Runtime.CompilerServices.TupleElementNamesAttribute>()
            ?.TransformNames.Select(name => name ?? "").ToArray();
        IsExtension = method.IsDefined(typeof(System.Runtime.CompilerServices.ExtensionAttribute));
    }

    public Type ResultType { get; }

    /// <summary>True when the receiver is the first argument.</summary>
    public bool IsExtension { get; }

    /// <summary>Whether a call can have this number of arguments, without the receiver.</summary>
    public bool Takes(int arguments)
    {
        int most = _parameters.Length - (IsExtension ? 1 : 0);
        return (arguments <= most || _expanded is not null) && arguments >= most - _parameters.Count(one => one.HasDefaultValue) - (_expanded is null ? 0 : 1);
    }

    /// <summary>The sum of the costs of the arguments; <see cref="BaseType.Impossible"/> when one does not fit.</summary>
    /// <param name="names">Names of the last arguments; an empty text for arguments without a name.</param>
    public int Cost(ReadOnlySpan<object?> arguments, ReadOnlySpan<string> names)
    {
        int normal = NormalCost(arguments, names);
        return normal >= 0 || _expanded is null || arguments.Length < _types.Length - 1 ? normal : CostExpanded(arguments);
    }

    /// <summary>Calls the method. The arguments must fit.</summary>
    /// <returns>The result; a null value when an argument is null and its parameter is a value type.</returns>
    public Value Call(object? receiver, ReadOnlySpan<object?> arguments, ReadOnlySpan<string> names)
    {
        bool isExpanded = NormalCost(arguments, names) < 0;
        object?[] made = new object?[_types.Length];
        for (int i = 0; i < made.Length; i++)
        {
            made[i] = _parameters[i].HasDefaultValue ? _parameters[i].DefaultValue : null;
        }

        bool hasNull = false;
        int simple = isExpanded ? _types.Length - 1 : arguments.Length;
        for (int i = 0; i < simple; i++)
        {
            int at = Position(i, names);
            bool isNull = arguments[i] is null or Value { IsNull: true };
            hasNull |= isNull;
            if (isNull && !_types[at].TakesNull)
            {
                return Value.Null;
            }

            made[at] = _types[at].Make(arguments[i]);
        }

        if (isExpanded)
        {
            made[^1] = Expand(arguments[simple..]);
        }

        return Call(receiver, made, hasNull);
    }

    private Value Call(object? receiver, object?[] arguments, bool hasNull)
    {
        foreach (object? argument in arguments)
        {
            string? text = argument as string;
            ExecutionBudget.Charge(1 + ((text?.Length ?? 0) / 64));
            if (_takesFormat && text is not null)
            {
                Value.Checked(text);
            }
        }

        try
        {
            Value result = Conversion.ToValue(_call(receiver, arguments));
            return _resultNames is not null && !result.IsNull ? Value.FromObject(new ObjectValue(_resultNames, result.Made<ObjectValue>().Values)) : result;
        }
        catch (Exception fault) when (hasNull && fault is ArgumentNullException or NullReferenceException)
        {
            // Documents differ: what C# refuses for null is null here.
            return Value.Null;
        }
    }

    private Array Expand(ReadOnlySpan<object?> arguments)
    {
        var elements = Array.CreateInstance(_parameters[^1].ParameterType.GetElementType()!, arguments.Length);
        for (int i = 0; i < arguments.Length; i++)
        {
            elements.SetValue(_expanded!.Make(arguments[i]), i);
        }

        return elements;
    }

    private int NormalCost(ReadOnlySpan<object?> arguments, ReadOnlySpan<string> names)
    {
        if (arguments.Length > _types.Length)
        {
            return BaseType.Impossible;
        }

        int sum = _types.Length - arguments.Length;
        ulong given = 0;
        for (int i = 0; i < arguments.Length; i++)
        {
            int at = Position(i, names);
            int cost = at < 0 ? BaseType.Impossible : _types[at].Cost(arguments[i]);
            if (cost < 0)
            {
                return cost;
            }

            given |= 1UL << at;
            sum += cost;
        }

        for (int i = 0; i < _types.Length; i++)
        {
            if ((given & (1UL << i)) == 0 && !_parameters[i].HasDefaultValue)
            {
                return BaseType.Impossible;
            }
        }

        return sum;
    }

    private int CostExpanded(ReadOnlySpan<object?> arguments)
    {
        int sum = ExpandedCost;
        for (int i = 0; i < arguments.Length; i++)
        {
            int cost = (i < _types.Length - 1 ? _types[i] : _expanded!).Cost(arguments[i]);
            if (cost < 0)
            {
                return cost;
            }

            sum += cost;
        }

        return sum;
    }

    private int Position(int argument, ReadOnlySpan<string> names) => argument >= names.Length || names[argument].Length == 0
        ? argument
        : PositionOf(names[argument]);

    private int PositionOf(string name) => Array.FindIndex(_parameters, parameter => parameter.Name == name);

    private static Func<object?, object?[], object?> CallOf(MethodInvoker invoker) => (receiver, arguments) => invoker.Invoke(receiver, arguments.AsSpan());

    private static Func<object?, object?[], object?> CallOf(ConstructorInvoker invoker) => (_, arguments) => invoker.Invoke(arguments.AsSpan());
}
