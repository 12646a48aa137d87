using System.Linq.Expressions;
using Jackdaw.Client.Linq.Conditions;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>What document queries express by calls: conditions, fields by names, groups by names.</summary>
internal sealed partial class LinqTranslator
{
    private void Conditions(ConditionChain chain)
    {
        if (_where.Count == 0 && chain.Links[0].IsOr)
        {
            _problems.Add("OrElse()", "There is no condition before it.", "Begin with a condition.");
        }

        RqlCondition condition = Chain(chain.Links, _where.Count == 0 ? null : RqlConditions.All(_where));
        _where.Clear();
        Add(condition);
    }

    /// <param name="before">The condition before the first one; null for none.</param>
    private RqlCondition Chain(IReadOnlyList<ConditionLink> links, RqlCondition? before)
    {
        List<RqlCondition> either = [];
        List<RqlCondition> both = before is null ? [] : [before];
        foreach (ConditionLink link in links)
        {
            if (link.IsOr && both.Count > 0)
            {
                either.Add(RqlConditions.All(both));
                both = [];
            }

            both.Add(Condition(link.Condition));
        }

        return RqlConditions.Any([.. either, RqlConditions.All(both)]);
    }

    private RqlCondition Condition(DocumentCondition condition)
    {
        switch (condition)
        {
            case ConditionChain chain:
                return Chain(chain.Links, null);
            case NotCondition not:
                return RqlConditions.Not(Condition(not.Operand));
            case ExactCondition exact:
                RqlCondition compared = Condition(exact.Operand);
                return compared is FixedCondition ? compared : RqlConditions.Call("exact", new ConditionOperand(compared));
            case ScoredCondition scored:
                return RqlConditions.Call(scored.Function, new ConditionOperand(Condition(scored.Operand)), new ValueOperand(scored.Factor));
            case IntersectCondition intersect:
                return RqlConditions.Call("intersect", [.. intersect.Parts.Select(part => new ConditionOperand(Condition(part)))]);
            case StepCondition { Step: SpatialStep shape }:
                return Shape(shape) ?? (RqlCondition)new RefusedCondition();
            case StepCondition { Step: VectorStep vector }:
                return Near(vector);
            case StepCondition { Step: SimilarStep similar }:
                return Similar(similar);
            default:
                return OfField(ByLength(condition));
        }
    }

    // A duration is stored as a text, whose order is not its own: the server compares its length.
    private DocumentCondition ByLength(DocumentCondition condition)
    {
        switch (condition)
        {
            case FieldComparison { Operator: not ("=" or "!="), Value: TimeSpan duration } comparison when LengthOf(comparison.Field) is { } length:
                return new FieldComparison(length, comparison.Operator, duration.TotalSeconds);
            case FieldRange { Low: TimeSpan low, High: TimeSpan high } range when LengthOf(range.Field) is { } length:
                return new FieldRange(length, low.TotalSeconds, high.TotalSeconds);
            default:
                return condition;
        }
    }

    private QueryField? LengthOf(QueryField field)
    {
        if (_source.IsIndex)
        {
            _problems.Add($"the condition of {field}", Translatable.Duration.Reason, Translatable.Duration.Hint);
        }

        RqlPath? path = field.Path ?? _fields.TryFind(BindField(field.Lambda!));
        return path is { IsDocument: false, IsId: false } ? new QueryField(null, path.Member(nameof(TimeSpan.TotalSeconds), typeof(double))) : null;
    }

    private RqlCondition OfField(DocumentCondition condition)
    {
        (QueryField named, IReadOnlyList<object?> given) = condition switch
        {
            FieldComparison comparison => (comparison.Field, [comparison.Value]),
            FieldRange range => (range.Field, [range.Low, range.High]),
            FieldList list => (list.Field, list.Values),
            FieldCall call => (call.Field, call.Values),
            _ => throw new InvalidOperationException($"{condition.GetType().Name} is not a condition of a query."),
        };
        const string reason = "A condition is of a field as it is stored.";
        if (FieldOf(named, reason, "Compute the value in an index and query its field.") is not { } field || Parameters(named, given) is not { } values)
        {
            return new RefusedCondition();
        }

        return condition switch
        {
            // As in LINQ: nothing is less or greater than null.
            FieldComparison { Operator: not ("=" or "!="), Value: null } => new FixedCondition(false),
            FieldComparison comparison => new OperatorCondition(field.Operand, comparison.Operator, new ValueOperand(values[0])),
            FieldRange => new RangeCondition(field.Operand, new ValueOperand(values[0]), new ValueOperand(values[1])),
            FieldList { IsAll: true, Values.Count: 0 } => new FixedCondition(true),
            FieldList list => new ListCondition(field.Operand, list.IsAll, values),
            _ => RqlConditions.Call(((FieldCall)condition).Name, [
                field.Operand,
                .. values.Select(value => new ValueOperand(value)),
                .. ((FieldCall)condition).Word is { } word ? [new TextOperand(word)] : Array.Empty<RqlOperand>(),
            ]),
        };
    }

    private List<object?>? Parameters(QueryField field, IReadOnlyList<object?> values)
    {
        try
        {
            return [.. values.Select(value => _context.ToParameter(value is null ? null : ComparedNumber.Check(value)))];
        }
        catch (NotSupportedException unknown)
        {
            _problems.AddValue($"the condition of {field}", unknown);
            return null;
        }
    }

    /// <summary>The field of a clause.</summary>
    /// <returns>Null if it is not a field, which is noted as a problem.</returns>
    private ResolvedField? FieldOf(QueryField field, string reason, string hint)
    {
        if (field.Path is { } path)
        {
            return new ResolvedField(new TextOperand(IsIdentity(path) ? "id()" : path.Text), typeof(string), path.IsOfEach);
        }

        Expression body = BindField(field.Lambda!);
        if (_operands.TryFind(body) is { } found)
        {
            return found;
        }

        _problems.Add(field.Lambda!, reason, hint);
        return null;
    }

    private bool IsIdentity(RqlPath path) =>
        path.IsId || (path.IsSimple && _query.GroupKeys.Count == 0 && _context.IsIdentity(_source.DocumentType, path.Name));

    private void SelectFields(Expression operation, SelectFieldsStep step)
    {
        if (_element != _root || _group is not null || _selected is not null || _projected is not null)
        {
            _problems.Add(operation, "The rows are chosen by what they consist of.", "Select once, and not after Select or GroupBy of LINQ.");
            return;
        }

        (_selected, _isSpecial) = (step, true);
    }

    private void GroupByNames(Expression operation, GroupKeysStep step)
    {
        if (_element != _root || _group is not null || _query.GroupKeys.Count > 0)
        {
            _problems.Add(operation, "The server groups documents.", "Put GroupBy before Select, and use one.");
        }

        _isSpecial = true;
        foreach (QueryField key in step.Keys)
        {
            if (FieldOf(key, "A key is a field of the documents.", "Compute the key in an index.") is { } field)
            {
                _query.GroupKeys.Add(step.IsWhole ? new CallOperand("array", [field.Operand]) : field.Operand);
            }
        }
    }

    private void SelectOfGroups(GroupItemStep step)
    {
        List<RqlOperand> arguments = [];
        if (step.Field is { } named)
        {
            arguments.AddRange(FieldOf(named, "A sum is of a field of the documents.", "Compute the value in an index.") is { } field ? [field.Operand] : []);
        }

        RqlOperand item = step.Function is { } function ? new CallOperand(function, arguments) : arguments.FirstOrDefault() ?? new TextOperand("?");
        _query.Selected.Add(new RqlSelected(item, step.Alias));
    }
}
