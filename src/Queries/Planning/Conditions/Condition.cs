using System.Text;
using Jackdaw.Json.Paths;
using Jackdaw.Json.Tape;
using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Planning.Conditions;

/// <summary>A condition that can be asked of documents: its fields are resolved, and its parameters are replaced by values.</summary>
/// <remarks>The answer depends on the document alone. Immutable, for any thread. A condition is as deep as its query, which is bounded.</remarks>
internal abstract class Condition
{
    public abstract bool IsMet(in EvaluatedDocument document);
}

internal sealed class ConstantCondition(bool value) : Condition
{
    public override bool IsMet(in EvaluatedDocument document) => value;
}

internal sealed class AndCondition(IReadOnlyList<Condition> conditions) : Condition
{
    public override bool IsMet(in EvaluatedDocument document)
    {
        foreach (Condition condition in conditions)
        {
            if (!condition.IsMet(document))
            {
                return false;
            }
        }

        return true;
    }
}

internal sealed class OrCondition(IReadOnlyList<Condition> conditions) : Condition
{
    public override bool IsMet(in EvaluatedDocument document)
    {
        foreach (Condition condition in conditions)
        {
            if (condition.IsMet(document))
            {
                return true;
            }
        }

        return false;
    }
}

internal sealed class NotCondition(Condition condition) : Condition
{
    public override bool IsMet(in EvaluatedDocument document) => !condition.IsMet(document);
}

internal sealed class ExistsCondition(FieldReader field) : Condition
{
    public override bool IsMet(in EvaluatedDocument document) => field.Exists(document.RootOf(field.Source));
}

/// <summary>A value of the field passes a test against a term.</summary>
internal sealed class TermCondition(FieldReader field, TermTest test, ComparedTerm term) : Condition
{
    public override bool IsMet(in EvaluatedDocument document)
    {
        var tested = new Tested(test, term);
        return field.Any(document.RootOf(field.Source), ref tested);
    }

    private readonly struct Tested(TermTest test, ComparedTerm term) : IValueTest
    {
        public bool Test(TapeValue value) => test switch
        {
            TermTest.Equal => term.EqualTo(value),
            TermTest.NotNull => value.Kind != JsonKind.Null,
            TermTest.StartsWith => term.StartsOf(value),
            TermTest.EndsWith => term.EndsOf(value),
            _ => Passes(term.Compare(value)),
        };

        // Values without an order give null, which passes no comparison.
        private bool Passes(int? order) => test switch
        {
            TermTest.Less => order < 0,
            TermTest.LessOrEqual => order <= 0,
            TermTest.Greater => order > 0,
            _ => order >= 0,
        };
    }
}

internal enum TermTest
{
    Equal,

    /// <summary>The value is not null.</summary>
    NotNull,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    StartsWith,
    EndsWith,
}

/// <summary>One value of the field lies between two ends, both included.</summary>
/// <param name="field">The field with the values.</param>
/// <param name="low">Null for an open end.</param>
/// <param name="high">Null for an open end.</param>
internal sealed class BetweenCondition(FieldReader field, ComparedTerm? low, ComparedTerm? high) : Condition
{
    public override bool IsMet(in EvaluatedDocument document)
    {
        var tested = new Tested(low, high);
        return field.Any(document.RootOf(field.Source), ref tested);
    }

    private readonly struct Tested(ComparedTerm? low, ComparedTerm? high) : IValueTest
    {
        public bool Test(TapeValue value) => ComparedTerm.HasTerm(value)
            && (low is null || low.Compare(value) >= 0)
            && (high is null || high.Compare(value) <= 0);
    }
}

/// <summary>The document's id passes a test.</summary>
internal sealed class IdCondition(ComparedTerm term, bool isPrefix) : Condition
{
    public override bool IsMet(in EvaluatedDocument document)
    {
        string id = Encoding.UTF8.GetString(document.Id);
        return isPrefix
            ? id.StartsWith(term.Value.Text, StringComparison.OrdinalIgnoreCase)
            : term.EqualTo(id);
    }
}

/// <summary>A value of one field compares with a value of another.</summary>
internal sealed class FieldsCondition(FieldReader left, ComparisonOperator comparison, FieldReader right) : Condition
{
    public override bool IsMet(in EvaluatedDocument document)
    {
        bool isUnequal = comparison == ComparisonOperator.NotEqual;
        var values = new Gathered([]);
        right.Any(document.RootOf(right.Source), ref values);
        foreach (QueryValue value in values.Values)
        {
            var condition = new TermCondition(left, ToTest(comparison), new ComparedTerm(value, isExact: false));
            if (condition.IsMet(document))
            {
                return !isUnequal;
            }
        }

        return isUnequal;
    }

    private static TermTest ToTest(ComparisonOperator comparison) => comparison switch
    {
        ComparisonOperator.Less => TermTest.Less,
        ComparisonOperator.LessOrEqual => TermTest.LessOrEqual,
        ComparisonOperator.Greater => TermTest.Greater,
        ComparisonOperator.GreaterOrEqual => TermTest.GreaterOrEqual,
        _ => TermTest.Equal,
    };

    private readonly struct Gathered(List<QueryValue> values) : IValueTest
    {
        public List<QueryValue> Values => values;

        public bool Test(TapeValue value)
        {
            values.Add(value.Kind switch
            {
                JsonKind.True or JsonKind.False => QueryValue.Of(value.Kind == JsonKind.True),
                JsonKind.Number when value.TryGetInt64(out long whole) => QueryValue.Of(whole),
                JsonKind.Number when value.TryGetDouble(out double number) => QueryValue.Of(number),
                JsonKind.String => QueryValue.Of(value.ToText()!),
                JsonKind.Null => QueryValue.Null,
                _ => QueryValue.OfObject(""),
            });
            return false;
        }
    }
}
