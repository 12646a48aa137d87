using System.Globalization;
using System.Runtime.InteropServices;
using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Search.Entries;

namespace Jackdaw.Indexing.Mapping;

/// <summary>Reads the vectors of a value of a document or a query: a list of numbers, a base64 text, an object with one of these in <c>@vector</c>, or a list
/// of these. One thread.</summary>
internal sealed class VectorReader
{
    /// <summary>A value that is nested deeper than this is not a list of vectors, and would end the process by a stack overflow.</summary>
    private const int DepthMax = 8;

    /// <summary>The most characters of a value that a message shows.</summary>
    private const int ShownMax = 40;

    private readonly List<float[]> _vectors = [];
    private readonly List<double> _numbers = [];

    /// <summary>Reads the vectors of a value.</summary>
    /// <returns>Valid until the next call. Empty for null, an empty list, and lists of these.</returns>
    /// <exception cref="FormatException">The value is not a vector of the field. The message begins in lower case.</exception>
    public IReadOnlyList<float[]> Read(Value value, VectorSettings settings)
    {
        _vectors.Clear();
        Read(value, settings, 0);
        return _vectors;
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

    // What is in the object around a vector. A vector of a document may be passed to CreateVector, so there can be two.
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
            throw new FormatException($"a list may have {Embedding.VectorsMax:N0} vectors, and this one has more.");
        }

        _vectors.Add(vector);
    }

    private static string Mixed(Value item, int place) =>
        string.Create(CultureInfo.InvariantCulture, $"a list whose value {place} is {Shorten(item)}");

    private static string Shorten(Value value)
    {
        string text = value.IsText ? value.AsText() : value.ToJson();
        return text.Length > ShownMax ? $"'{text[..ShownMax]}...'" : $"'{text}'";
    }

    private static FormatException Unusable(string what) => new(
        $"a vector is a list of numbers, a base64 text, an object with '{DefinitionBase.VectorMember}', or a list of these, not {what}.");
}
