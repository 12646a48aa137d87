using System.Collections;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Jackdaw.Indexing.Definitions.Values;

/// <summary>Makes a <see cref="Value"/> from the results of C# code of a definition: numbers, texts, sequences, anonymous
/// objects, objects of classes of additional sources.</summary>
public static class Conversion
{
    /// <summary>Nested objects that one value may hold. An object of a class can hold itself.</summary>
    private const int DepthMax = 32;

    /// <summary>Properties of the types of definitions. Weak references: when a definition is unloaded,
    /// its types are too.</summary>
    private static readonly ConditionalWeakTable<Type, PropertyInfo[]> s_properties = [];

    public static Value ToValue(Value value) => value;

    public static Value ToValue(object? value) => ToValue(value, 0);

    private static Value ToValue(object? value, int depth)
    {
        ExecutionBudget.Step();
        if (depth > DepthMax)
        {
            throw new InvalidOperationException($"An object of the definition holds objects more than {DepthMax} deep.");
        }

        return value switch
        {
            null => Value.Null,
            Value ready => ready,
            string text => text,
            int number => number,
            long number => number,
            double number => number,
            decimal number => number,
            float number => number,
            bool flag => flag,
            char character => character,
            DateTime date => date,
            DateTimeOffset date => date,
            DateOnly date => date,
            TimeOnly time => time,
            TimeSpan duration => duration,
            Guid guid => guid,
            ulong number => (decimal)number,
            byte or sbyte or short or ushort or uint => System.Convert.ToInt64(value, null),
            Int128 number => number >= long.MinValue && number <= long.MaxValue ? (long)number : (Value)(decimal)number,
            UInt128 number => number <= long.MaxValue ? (long)number : (Value)(decimal)number,
            Half number => (double)number,
            nint number => (long)number,
            nuint number => (ulong)number,
            Enum constant => constant.ToString(),
            System.Runtime.CompilerServices.ITuple tuple => FromTuple(tuple, depth),
            IEnumerable<Value> values => Value.FromList([.. values]),
            IDictionary dictionary => FromDictionary(dictionary, depth),
            IEnumerable sequence => FromSequence(sequence, depth),
            _ => FromProperties(value, depth),
        };
    }

    private static Value FromSequence(IEnumerable sequence, int depth)
    {
        var values = new List<Value>();
        foreach (object? element in sequence)
        {
            values.Add(ToValue(element, depth + 1));
        }

        return Value.FromList([.. values]);
    }

    private static Value FromTuple(System.Runtime.CompilerServices.ITuple tuple, int depth)
    {
        var names = new string[tuple.Length];
        var values = new Value[tuple.Length];
        for (int i = 0; i < values.Length; i++)
        {
            (names[i], values[i]) = ("Item" + (i + 1), ToValue(tuple[i], depth + 1));
        }

        return Value.FromObject(new ObjectValue(names, values));
    }

    private static Value FromDictionary(IDictionary dictionary, int depth)
    {
        var names = new List<string>();
        var values = new List<Value>();
        foreach (DictionaryEntry entry in dictionary)
        {
            names.Add(ToValue(entry.Key, depth + 1).AsText());
            values.Add(ToValue(entry.Value, depth + 1));
        }

        return Value.FromObject(new ObjectValue([.. names], [.. values]));
    }

    /// <summary>Reflection reads only what the definition itself declares: it cannot name a type of ours that is not
    /// a value.</summary>
    private static Value FromProperties(object value, int depth)
    {
        PropertyInfo[] properties = s_properties.GetValue(value.GetType(), type =>
            [.. type.GetProperties(BindingFlags.Public | BindingFlags.Instance)
                .Where(p => p.CanRead && p.GetIndexParameters().Length == 0)]);
        var values = new Value[properties.Length];
        for (int i = 0; i < properties.Length; i++)
        {
            values[i] = ToValue(properties[i].GetValue(value), depth + 1);
        }

        return Value.FromObject(new ObjectValue(Array.ConvertAll(properties, p => p.Name), values));
    }
}
