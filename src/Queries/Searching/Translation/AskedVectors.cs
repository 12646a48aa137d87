using System.Text;
using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Json.Tape;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Search.Entries;

namespace Jackdaw.Queries.Searching.Translation;

/// <summary>The vectors that a query searches for, as it has them: numbers, or texts in base64. What they are in a field is known later.</summary>
/// <remarks>Lengths are checked before anything is copied, and numbers never become values one by one: a body may have millions of them.</remarks>
internal sealed class AskedVectors
{
    /// <summary>The most characters of a value that a message shows.</summary>
    private const int ShownMax = 40;

    private readonly List<(double[] Numbers, string? Base64)> _vectors = new(1);

    private AskedVectors()
    {
    }

    /// <summary>Those of a parameter.</summary>
    /// <exception cref="FormatException">It is something else. The message says what was expected.</exception>
    public static AskedVectors Of(TapeValue parameter)
    {
        var asked = new AskedVectors();
        asked.Read(parameter, isNested: false);
        return asked;
    }

    /// <summary>Those in the text of the query.</summary>
    /// <exception cref="FormatException">It is something else. The message says what was expected.</exception>
    public static AskedVectors Of(QueryValue literal)
    {
        var asked = new AskedVectors();
        asked.Read(literal, isNested: false);
        return asked;
    }

    /// <summary>What is compared with the vectors of a field.</summary>
    /// <exception cref="FormatException">They are not vectors of this field. The message says why.</exception>
    public IReadOnlyList<float[]> In(VectorSettings field)
    {
        float[][] vectors = new float[_vectors.Count][];
        for (int i = 0; i < vectors.Length; i++)
        {
            (double[] numbers, string? base64) = _vectors[i];
            vectors[i] = base64 is null ? Embedding.Of(numbers, field) : Embedding.OfBase64(base64, field);
        }

        return vectors;
    }

    private void Read(TapeValue value, bool isNested)
    {
        TapeValue inner = value.Kind == JsonKind.Object ? value["@vector"u8] : value;
        if (inner.Kind == JsonKind.String)
        {
            _vectors.Add(([], inner.ToText()));
        }
        else if (inner.Kind != JsonKind.Array || inner.Count == 0)
        {
            throw Unusable(Shorten(value));
        }
        else if (inner[0].Kind == JsonKind.Number)
        {
            _vectors.Add((NumbersOf(inner), null));
        }
        else
        {
            CheckCount(inner.Count, isNested || value.Kind == JsonKind.Object);
            foreach (TapeValue item in inner.Elements)
            {
                Read(item, isNested: true);
            }
        }
    }

    private void Read(QueryValue value, bool isNested)
    {
        if (value.Kind == QueryValueKind.String)
        {
            _vectors.Add(([], value.Text));
        }
        else if (value.Items.Count == 0)
        {
            throw Unusable(value.Kind == QueryValueKind.List ? "an empty list" : $"'{value.Text}'");
        }
        else if (value.Items[0].IsNumber)
        {
            Embedding.CheckLength(value.Items.Count);
            _vectors.Add(([.. value.Items.Select(item => item.IsNumber ? item.Double : throw Unusable("a list of numbers and other values"))], null));
        }
        else
        {
            CheckCount(value.Items.Count, isNested);
            foreach (QueryValue item in value.Items)
            {
                Read(item, isNested: true);
            }
        }
    }

    private static double[] NumbersOf(TapeValue list)
    {
        Embedding.CheckLength(list.Count);
        double[] numbers = new double[list.Count];
        int next = 0;
        foreach (TapeValue item in list.Elements)
        {
            if (item.Kind != JsonKind.Number || !item.TryGetDouble(out numbers[next]))
            {
                throw Unusable($"a list whose value {next + 1} is {Shorten(item)}");
            }

            next++;
        }

        return numbers;
    }

    private static void CheckCount(int vectors, bool isNested)
    {
        if (isNested)
        {
            throw Unusable("a list that is nested deeper");
        }

        if (vectors > Embedding.VectorsMax)
        {
            throw Unusable($"a list of {vectors:N0}");
        }
    }

    private static string Shorten(TapeValue value)
    {
        ReadOnlySpan<byte> json = value.Source;
        string text = Encoding.UTF8.GetString(json[..Math.Min(json.Length, ShownMax)]);
        return json.Length > ShownMax ? $"{text}..." : text;
    }

    private static FormatException Unusable(string what) => new(
        $"the vector to search for is expected here: a list of numbers, a base64 text, an object with '{DefinitionBase.VectorMember}', "
        + $"or a list of up to {Embedding.VectorsMax:N0} of these, not {what}.");
}
