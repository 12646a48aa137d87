using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Running;

/// <summary>One row of a map or reduce, as an index stores it.</summary>
/// <remarks>The object is reused: its values are valid until the next row, and values of a document until the next document.</remarks>
internal sealed class EntryRow(string[] fields, bool hasDynamicSlot)
{
    private readonly List<DynamicField> _dynamic = [];
    private Value[] _values = new Value[fields.Length];

    /// <summary>A value for each of <see cref="CompiledDefinition.Fields"/>. Missing ones are not indexed.</summary>
    public ReadOnlySpan<Value> Values => _values.AsSpan(0, fields.Length);

    /// <summary>Fields whose names were computed, by CreateField or as keys of dictionaries.</summary>
    public IReadOnlyList<DynamicField> DynamicFields => _dynamic;

    /// <summary>Factor of the relevance of the whole row; null for none.</summary>
    public float? Boost { get; private set; }

    /// <summary>Takes the result of a pipeline.</summary>
    /// <returns>False for null, which is not a row.</returns>
    public bool Take(object? row)
    {
        _dynamic.Clear();
        Boost = null;
        switch (row)
        {
            case null:
                return false;
            case OutputRow output:
                _values = output.Values;
                Boost = output.Factor;
                break;
            default:
                return TakeObject(Conversion.ToValue(row));
        }

        for (int i = 0; i < _values.Length; i++)
        {
            if (HasDynamic(_values[i]))
            {
                TakeDynamic(_values[i]);
                _values[i] = default;
            }
        }

        return true;
    }

    private bool TakeObject(Value row)
    {
        if (row.Kind == ValueKind.Boosted)
        {
            Boost = row.Made<BoostedValue>().Factor;
            row = row.Unboosted();
        }

        if (row.IsNull)
        {
            return false;
        }

        if (!row.IsObject)
        {
            throw new InvalidCastException("The select of a map or reduce gave a value that is not an object.");
        }

        _values = new Value[fields.Length];
        foreach (NamedValue member in row.Members())
        {
            TakeMember(member);
        }

        return true;
    }

    private void TakeMember(NamedValue member)
    {
        int field = Array.IndexOf(fields, member.Name);
        if (HasDynamic(member.Value))
        {
            TakeDynamic(member.Value);
        }
        else if (field >= 0)
        {
            _values[field] = member.Value;
        }
        else if (!hasDynamicSlot || member.Name != "_")
        {
            _dynamic.Add(new DynamicField(member.Name, member.Value, null, null, null));
        }
    }

    private static bool HasDynamic(Value value) => value.Kind == ValueKind.DynamicField
        || (value.Kind == ValueKind.List && Array.Exists(value.List, HasDynamic));

    private void TakeDynamic(Value value)
    {
        if (value.Kind == ValueKind.DynamicField)
        {
            _dynamic.Add(value.Made<DynamicField>());
            return;
        }

        foreach (Value element in value.IsList ? value.ToValues() : [])
        {
            TakeDynamic(element);
        }
    }
}
