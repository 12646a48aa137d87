using Jackdaw.Indexing.Definitions.Library;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Calls;

/// <summary>A call of the base library whose overload is chosen by the values that it gets, because no compiler knows the types of a document's
/// members. The compiler of definitions makes one where C# finds no overload for a <see cref="Value"/>.</summary>
/// <remarks>The overloads are found once. A call compares the costs of their parameters and calls the cheapest, like the rules of C#. A null
/// receiver gives null, and so does null for a parameter that cannot be null.</remarks>
public sealed class LateCall
{
    private readonly Type? _type;
    private readonly string _member;
    private readonly string[] _names;
    private readonly CallCandidate[] _candidates;
    private readonly bool _isStatic;

    private LateCall(string type, string member, bool isStatic, string names)
    {
        _type = type.Length == 0 ? null : CallTable.TypeOf(type) ?? throw new ArgumentException(RefusalTexts.Of(type));
        _member = member;
        _isStatic = isStatic;
        _names = names.Length == 0 ? [] : names.Split(',');
        _candidates = _type is null ? [] : CallTable.Find(_type, member, isStatic);
    }

    /// <summary>A call of a static method or a constructor.</summary>
    /// <param name="type">The full name of the type.</param>
    /// <param name="member">The method, or ".ctor".</param>
    /// <param name="names">Names of the arguments, separated by commas; empty without names.</param>
    public static LateCall OfType(string type, string member, string names) => new(type, member, isStatic: true, names);

    /// <summary>A call of a method of an object or a value, which is the first argument.</summary>
    /// <param name="type">The full name of the type of the object; empty for a value.</param>
    /// <inheritdoc cref="OfType" path="/param[@name='member']|/param[@name='names']"/>
    public static LateCall OfObject(string type, string member, string names) => new(type, member, isStatic: false, names);

    /// <summary>Calls the overload that fits best.</summary>
    public Value Invoke(object?[] arguments)
    {
        if (_isStatic)
        {
            return TryCall(_candidates, null, arguments, out Value made) ? made : throw NoOverload(arguments);
        }

        object? receiver = arguments[0];
        object?[] others = arguments[1..];
        if (receiver is null or Value { IsNull: true })
        {
            return Value.Null;
        }

        if (_type is not null && receiver is not Value)
        {
            return TryCall(_candidates, receiver, others, out Value result) ? result : throw NoOverload(others);
        }

        foreach (object form in BaseForms.Of(Conversion.ToValue(receiver)))
        {
            if (TryCall(CallTable.Find(form.GetType(), _member, isStatic: false), form, others, out Value result))
            {
                return result;
            }
        }

        throw NoOverload(others);
    }

    private bool TryCall(CallCandidate[] candidates, object? receiver, object?[] arguments, out Value result)
    {
        CallCandidate? best = null;
        int lowest = int.MaxValue;
        foreach (CallCandidate candidate in candidates)
        {
            int cost = candidate.Cost(candidate.IsExtension ? [receiver, .. arguments] : arguments, _names);
            if (cost >= 0 && cost < lowest)
            {
                (best, lowest) = (candidate, cost);
            }
        }

        result = best is null ? default
            : best.IsExtension ? best.Call(null, [receiver, .. arguments], _names)
            : best.Call(receiver, arguments, _names);
        return best is not null;
    }

    private InvalidOperationException NoOverload(object?[] arguments)
    {
        string given = string.Join(", ", arguments.Select(argument => argument is null or Value { IsNull: true } ? "null" : argument.ToString()));
        string name = _member == CallTable.Constructor ? $"new {_type!.Name}" : _member;
        return new InvalidOperationException($"'{name}' cannot be called with ({(given.Length > 200 ? given[..200] + "..." : given)}).");
    }
}
