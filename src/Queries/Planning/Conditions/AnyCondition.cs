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
        var tested = new Tested(condition, document);
        return list.AnyWhole(document.RootOf(list.Source), ref tested);
    }

    /// <summary>The refusal of <c>any</c> in a clause that an index answers.</summary>
    public static InvalidQueryException InWhere(string query, MethodExpression method) => InvalidQueryException.At(
        query, method.TextPosition,
        "'any' looks at the elements of documents, which an index does not have; write it after 'filter'. " +
        "'where Lines[].Product = ...' before it finds the documents that the filter looks at.");

    private readonly ref struct Tested(Condition condition, EvaluatedDocument document) : IValueTest
    {
        private readonly EvaluatedDocument _document = document;

        public bool Test(TapeValue value)
        {
            if (value.Kind != JsonKind.Array)
            {
                return condition.IsMet(_document.With(value));
            }

            foreach (TapeValue element in value.Elements)
            {
                if (condition.IsMet(_document.With(element)))
                {
                    return true;
                }
            }

            return false;
        }
    }
}
