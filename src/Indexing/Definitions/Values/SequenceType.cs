namespace Jackdaw.Indexing.Definitions.Values;

/// <summary>A type of lists, sets or dictionaries as the target of a value.</summary>
internal sealed class SequenceType
{
    private const int OwnCost = 2;

    /// <summary>A text as a sequence of its characters.</summary>
    private const int CharactersCost = 9;

    private static readonly Type[] s_lists =
        [typeof(List<>), typeof(IEnumerable<>), typeof(ICollection<>), typeof(IList<>), typeof(IReadOnlyList<>), typeof(IReadOnlyCollection<>)];

    private static readonly Type[] s_sets = [typeof(HashSet<>), typeof(ISet<>), typeof(IReadOnlySet<>)];

    private static readonly Type[] s_dictionaries = [typeof(Dictionary<,>), typeof(IDictionary<,>), typeof(IReadOnlyDictionary<,>)];

    private readonly BaseType[] _elements;
    private readonly bool _takesText;
    private readonly bool _isPair;
    private readonly bool _isDictionary;
    private readonly SequenceMaker _maker;

    private SequenceType(Type[] elements, Type maker, bool takesText = false)
    {
        _elements = Array.ConvertAll(elements, BaseType.Of);
        _takesText = takesText;
        _isDictionary = elements.Length == 2;
        _isPair = maker.GetGenericTypeDefinition() == typeof(PairMaker<,>);
        _maker = (SequenceMaker)Activator.CreateInstance(maker)!;
    }

    /// <summary>Null for other types.</summary>
    public static SequenceType? Of(Type type)
    {
        if (type.IsSZArray)
        {
            return Make(typeof(ArrayMaker<>), type.GetElementType()!);
        }

        if (!type.IsGenericType)
        {
            return null;
        }

        Type definition = type.GetGenericTypeDefinition();
        return s_lists.Contains(definition) ? Make(typeof(ListMaker<>), type.GenericTypeArguments)
            : s_sets.Contains(definition) ? Make(typeof(SetMaker<>), type.GenericTypeArguments)
            : s_dictionaries.Contains(definition) ? Make(typeof(DictionaryMaker<,>), type.GenericTypeArguments)
            : definition == typeof(KeyValuePair<,>) ? Make(typeof(PairMaker<,>), type.GenericTypeArguments)
            : null;
    }

    public int Cost(Value value)
    {
        bool fits = _isPair ? value.Kind == ValueKind.Pair : _isDictionary ? value.IsObject : value.IsList || value.IsObject;
        if (!fits)
        {
            return _takesText && value.IsText ? CharactersCost : BaseType.Impossible;
        }

        int worst = 0;
        foreach (Value element in _isPair || _isDictionary ? [] : value.AsSequence())
        {
            int cost = _elements[0].Cost(element);
            if (cost < 0)
            {
                return cost;
            }

            worst = Math.Max(worst, cost);
        }

        return OwnCost + worst;
    }

    public object Make(Value value) => _maker.Make(value, _elements);

    private static SequenceType Make(Type maker, params Type[] elements) =>
        new(elements, maker.MakeGenericType(elements), elements[0] == typeof(char) && elements.Length == 1);
}

/// <summary>Makes sequences of one type.</summary>
internal abstract class SequenceMaker
{
    public abstract object Make(Value value, BaseType[] elements);

    protected static T[] Elements<T>(Value value, BaseType type) => Array.ConvertAll(value.ToValues(), element => (T)type.Make(element)!);
}

internal sealed class ArrayMaker<T> : SequenceMaker
{
    public override object Make(Value value, BaseType[] elements) => Elements<T>(value, elements[0]);
}

internal sealed class ListMaker<T> : SequenceMaker
{
    public override object Make(Value value, BaseType[] elements) => new List<T>(Elements<T>(value, elements[0]));
}

internal sealed class SetMaker<T> : SequenceMaker
{
    public override object Make(Value value, BaseType[] elements) => new HashSet<T>(Elements<T>(value, elements[0]));
}

internal sealed class PairMaker<TKey, TValue> : SequenceMaker
{
    public override object Make(Value value, BaseType[] elements) => new KeyValuePair<TKey, TValue>(
        (TKey)elements[0].Make(value.Member("Key"))!, (TValue)elements[1].Make(value.Member("Value"))!);
}

internal sealed class DictionaryMaker<TKey, TValue> : SequenceMaker
    where TKey : notnull
{
    public override object Make(Value value, BaseType[] elements)
    {
        var made = new Dictionary<TKey, TValue>();
        foreach (NamedValue member in value.Members())
        {
            made[(TKey)elements[0].Make((Value)member.Name)!] = (TValue)elements[1].Make(member.Value)!;
        }

        return made;
    }
}
