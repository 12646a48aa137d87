using Jackdaw.Json.Paths;
using Jackdaw.Json.Tape;
using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Planning.Conditions;

/// <summary><c>any(Lines as line, line.Product = 'p' and line.Quantity > 1)</c>: one element of a list meets the whole condition.</summary>
/// <param name="list">The list. A value that is not a list is treated as its only element.</param>
/// <param name="condition">Reads the element as the source <see cref="ElementSource"/>.</param>
internal sealed class AnyCondition(FieldReader list, Condition condition) : Condition
{
    /// <summary>The source of fields of the element.</summary>
    public const int ElementSource = -1;

    /// <summary>The source of fields of the element around, when one <c>any</c> stands within another.</summary>
    public const int OuterElementSource = -2;

    /// <summary>How many of them may stand within one another.</summary>
    public const int DepthMax = 2;

    public override bool IsMet(in EvaluatedDocument document)
    {
        TapeValue root = document.RootOf(list.Source);
        if (root.Tape is not { } tape)
        {
            return false;
        }

        var elements = new Elements(tape, []);
        list.AnyWhole(root, ref elements);
        foreach (int index in elements.Indexes)
        {
            if (condition.IsMet(document.With(root.At(index))))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>The refusal of <c>any</c> in a clause that an index answers.</summary>
    public static InvalidQueryException InWhere(string query, MethodExpression method) => InvalidQueryException.At(
        query, method.TextPosition,
        "'any' looks at the elements of documents, which an index does not have; write it after 'filter'. " +
        "'where Lines[].Product = ...' before it finds the documents that the filter looks at.");

    /// <summary>The places of elements: values of a text are valid only while they are looked at.</summary>
    private readonly struct Elements(JsonTape tape, List<int> indexes) : IValueTest
    {
        public List<int> Indexes => indexes;

        public bool Test(TapeValue value)
        {
            if (!ReferenceEquals(value.Tape, tape))
            {
                throw new InvalidQueryException("'any' goes over a list that documents store, not over one that is computed.");
            }

            if (value.Kind != JsonKind.Array)
            {
                indexes.Add(value.Index);
                return false;
            }

            foreach (TapeValue element in value.Elements)
            {
                indexes.Add(element.Index);
            }

            return false;
        }
    }
}
