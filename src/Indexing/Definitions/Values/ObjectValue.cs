namespace Jackdaw.Indexing.Definitions.Values;

/// <summary>An object that a definition made: names with values, in order.</summary>
internal class ObjectValue(string[] names, Value[] values)
{
    public string[] Names => names;

    public Value[] Values => values;

    public bool TryGet(string name, out Value value)
    {
        int at = Array.IndexOf(names, name);
        value = at >= 0 ? values[at] : default;
        return at >= 0;
    }
}

/// <summary>An attachment that a definition loaded, whose content is read when the definition asks for it.</summary>
internal sealed class AttachmentValue(string[] names, Value[] values, Func<Value> content) : ObjectValue(names, values)
{
    public Func<Value> Content => content;
}

/// <summary>A member of an object that is enumerated.</summary>
internal sealed record NamedValue(string Name, Value Value);

/// <summary>A field whose name a definition computes.</summary>
/// <param name="IsStored">Null when the definition does not say.</param>
/// <param name="Indexing">A value of the option Indexing; null when the definition does not say.</param>
/// <param name="TermVector">A value of the option TermVector; null when the definition does not say.</param>
internal sealed record DynamicField(string Name, Value Value, bool? IsStored, string? Indexing, string? TermVector);

/// <summary>A point or a shape.</summary>
/// <param name="Latitude">Degrees; of a point.</param>
/// <param name="Longitude">Degrees; of a point.</param>
/// <param name="WellKnownText">The shape as text; null for a point.</param>
internal sealed record SpatialValue(double Latitude, double Longitude, string? WellKnownText);

/// <summary>A value whose hits have more relevance.</summary>
internal sealed record BoostedValue(Value Value, float Factor);
