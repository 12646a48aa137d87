using System.Globalization;
using System.Runtime.InteropServices;
using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Search.Entries;

namespace Jackdaw.Indexing.Mapping;

/// <summary>Adds the vectors of a mapped value to an entry: a list of numbers, a base64 text, an object with one of these in <c>@vector</c>, or a list of
/// these. One thread.</summary>
/// <param name="dimensionsOf">The dimensions of the vectors that a field has; null while it has none.</param>
internal sealed class VectorValues(Func<string, int?> dimensionsOf)
{
    /// <summary>A value that is nested deeper than this is not a list of vectors, and would end the process by a stack overflow.</summary>
    private const int DepthMax = 8;

    /// <summary>The most characters of a value that a message shows.</summary>
    private const int ShownMax = 40;

    private readonly List<float[]> _vectors = [];
    private readonly List<double> _numbers = [];

    /// <summary>Whether a value says itself that it is a vector, or a list of them.</summary>
    public static bool IsVector(Value value) => value.Kind switch
    {
        ValueKind.TapeObject or ValueKind.Object => !value.Member(DefinitionBase.VectorMember).IsMissing,
        ValueKind.TapeArray or ValueKind.List => value.Element(0) is { Kind: ValueKind.TapeObject or ValueKind.Object } first
            && !first.Member(DefinitionBase.VectorMember).IsMissing,
        _ => false,
    };

    /// <summary>Whether a value is null where a vector is expected.</summary>
    public static bool IsNull(Value value) =>
        value.IsNull || (value.IsObject && value.Member(DefinitionBase.VectorMember) is { IsMissing: false } inner && IsNull(inner));

    /// <returns>Whether there is any vector.</returns>
    /// <exception cref="MapFailedException">The value is not a vector of the field.</exception>
    public bool Add(IndexEntry entry, IndexField field, Value value)
    {
        _vectors.Clear();
        try
        {
            Read(value, field.Vector!, 0);
            Check(entry, field);
        }
        catch (FormatException fault)
        {
            throw new MapFailedException(new FormatException($"Field '{field.Name}': {fault.Message}", fault));
        }

        _vectors.ForEach(vector => entry.AddVector(field, vector));
        return _vectors.Count > 0;
    }

    /// <summary>What is in the object around a vector. A vector of a document may be passed to CreateVector, so there can be two.</summary>
    /// <exception cref="FormatException">It is another object.</exception>
    private static Value Inner(Value value)
    {
        for (int depth = 0; depth < DepthMax && value.IsObject; depth++)
        {
            value = value.Member(DefinitionBase.VectorMember) is { IsMissing: false } inner
                ? inner
                : throw Unusable($"an object without '{DefinitionBase.VectorMember}'");
        }

        return value;
    }

    private void Read(Value value, VectorSettings settings, int depth)
    {
        Value inner = Inner(value);
        if (inner.IsText)
        {
            Take(Embedding.OfBase64(inner.AsText(), settings));
        }
        else if (inner.IsList && depth < DepthMax)
        {
            ReadList(inner, settings, depth);
        }
        else if (!inner.IsNull)
        {
            throw Unusable(inner.IsList ? "a list that is nested deeper" : Shorten(inner));
        }
    }

    // A list of vectors may be empty, and one of its vectors may not.
    private void ReadList(Value list, VectorSettings settings, int depth)
    {
        _numbers.Clear();
        int items = 0;
        foreach (Value item in list.AsSequence())
        {
            items++;
            if (item.IsNumber)
            {
                _numbers.Add(item.AsDouble());
            }
            else
            {
                Read(_numbers.Count > 0 || item.Kind is ValueKind.Bool or ValueKind.Date ? throw Unusable(Mixed(item, items)) : item, settings, depth + 1);
                _numbers.Clear();
            }
        }

        if (_numbers.Count == items && (items > 0 || depth > 0))
        {
            Take(Embedding.Of(CollectionsMarshal.AsSpan(_numbers), settings));
        }
        else if (_numbers.Count > 0)
        {
            throw Unusable("a list of vectors and numbers");
        }
    }

    private void Take(float[] vector)
    {
        if (_vectors.Count == Embedding.VectorsMax)
        {
            throw new FormatException($"A document may have {Embedding.VectorsMax:N0} vectors in a field, and this one has more.");
        }

        _vectors.Add(vector);
    }

    // The vectors of an entry that come by another value of the same field are not in the graph yet.
    private void Check(IndexEntry entry, IndexField field)
    {
        int earlier = 0;
        int? first = null;
        foreach (EntryValue value in entry.Values)
        {
            if (value.Kind == EntryValueKind.Vector && value.Field.Name == field.Name)
            {
                earlier++;
                first ??= value.Vector.Length;
            }
        }

        if (earlier + _vectors.Count > Embedding.VectorsMax)
        {
            throw new FormatException($"A document may have {Embedding.VectorsMax:N0} vectors in a field, and this one has {earlier + _vectors.Count:N0}.");
        }

        int? known = dimensionsOf(field.Name) ?? first ?? (_vectors.Count > 0 ? _vectors[0].Length : null);
        if (_vectors.Find(vector => vector.Length != known) is { } other)
        {
            throw new FormatException($"The vector has {other.Length} dimensions, but the first vector of the field had {known}.");
        }
    }

    private static string Mixed(Value item, int place) =>
        string.Create(CultureInfo.InvariantCulture, $"a list whose value {place} is {Shorten(item)}");

    private static string Shorten(Value value)
    {
        string text = value.IsText ? value.AsText() : value.ToJson();
        return text.Length > ShownMax ? $"'{text[..ShownMax]}...'" : $"'{text}'";
    }

    private static FormatException Unusable(string what) => new(
        $"A vector is a list of numbers, a base64 text, an object with '{DefinitionBase.VectorMember}', or a list of these, not {what}.");
}
