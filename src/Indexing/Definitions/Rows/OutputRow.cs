using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Rows;

/// <summary>One row of a map or reduce: a value for each field of the definition. The object is reused for all rows.</summary>
public sealed class OutputRow
{
    private readonly Value[] _values;

    internal OutputRow(int fields) => _values = new Value[fields];

    internal Value[] Values => _values;

    internal float? Factor { get; private set; }

    /// <summary>Begins a row; values that are not set are missing.</summary>
    public OutputRow Begin()
    {
        Array.Clear(_values);
        Factor = null;
        return this;
    }

    public OutputRow Set(int field, Value value)
    {
        _values[field] = value;
        return this;
    }

    public OutputRow Set(int field, object? value)
    {
        _values[field] = Conversion.ToValue(value);
        return this;
    }

    /// <summary>Gives hits of this row more relevance.</summary>
    public OutputRow Boost(Value factor)
    {
        Factor = factor.IsNull ? null : (float)factor.AsDouble();
        return this;
    }
}
