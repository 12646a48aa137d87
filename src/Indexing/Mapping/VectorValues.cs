using System.Globalization;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Search.Entries;

namespace Jackdaw.Indexing.Mapping;

/// <summary>Adds the vectors of a mapped value to an entry: a list of numbers, a base64 text, an object with a list in <c>@vector</c>, or a list of these.
/// </summary>
internal sealed class VectorValues(Func<string, int?> dimensionsOf)
{
    /// <summary>The most vectors of one value.</summary>
    private const int VectorsMax = 1000;

    private static readonly VectorSettings s_default = new();

    private readonly List<float[]> _vectors = [];

    /// <returns>Whether there is any vector.</returns>
    /// <exception cref="MapFailedException">The value is not a vector of the field.</exception>
    public bool Add(IndexEntry entry, IndexField field, Value value)
    {
        _vectors.Clear();
        field = field.Vector is null ? field with { Vector = s_default } : field;
        try
        {
            Read(value, field.Vector!);
            CheckDimensions(field);
        }
        catch (FormatException fault)
        {
            throw new MapFailedException(new FormatException($"Field '{field.Name}': {fault.Message}", fault));
        }

        _vectors.ForEach(vector => entry.AddVector(field, vector));
        return _vectors.Count > 0;
    }

    private void Read(Value value, VectorSettings settings)
    {
        if (value.IsNull || value.IsMissing)
        {
            return;
        }

        if (_vectors.Count == VectorsMax)
        {
            throw new FormatException($"A document has at most {VectorsMax:N0} vectors in a field.");
        }

        if (value.Kind == ValueKind.Vector)
        {
            Read(value.Made<VectorValue>().Value, settings);
        }
        else if (value.IsText)
        {
            _vectors.Add(Embedding.OfBase64(value.AsText(), settings));
        }
        else if (value.IsObject)
        {
            Value numbers = value["@vector"];
            Read(numbers.IsMissing ? throw Unusable("an object without '@vector'") : numbers, settings);
        }
        else if (value.Kind is ValueKind.TapeArray or ValueKind.List)
        {
            ReadSequence(value, settings);
        }
        else
        {
            throw Unusable(string.Create(CultureInfo.InvariantCulture, $"{value}"));
        }
    }

    private void ReadSequence(Value sequence, VectorSettings settings)
    {
        List<double> numbers = [];
        int items = 0;
        foreach (Value item in sequence.AsSequence())
        {
            items++;
            if (item.IsNumber)
            {
                numbers.Add(item.AsDouble());
            }
            else if (numbers.Count > 0)
            {
                throw Unusable($"{item} after {numbers.Count} numbers");
            }
            else
            {
                Read(item, settings);
            }
        }

        if (numbers.Count > 0 && numbers.Count < items)
        {
            throw Unusable("numbers beside other values");
        }

        if (numbers.Count > 0)
        {
            _vectors.Add(Embedding.Of(System.Runtime.InteropServices.CollectionsMarshal.AsSpan(numbers), settings));
        }
    }

    private void CheckDimensions(IndexField field)
    {
        int? known = dimensionsOf(field.Name) ?? (_vectors.Count > 0 ? _vectors[0].Length : null);
        if (_vectors.FirstOrDefault(vector => vector.Length != known) is { } other)
        {
            throw new FormatException($"The vector has {other.Length} dimensions, but the first one of the field had {known}.");
        }
    }

    private static FormatException Unusable(string what) =>
        new($"A vector is a list of numbers, a base64 text, an object with '@vector', or a list of these, not {what}.");
}
