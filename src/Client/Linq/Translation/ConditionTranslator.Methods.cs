using System.Linq.Expressions;
using System.Reflection;
using System.Text.RegularExpressions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Calls within predicates.</summary>
internal sealed partial class ConditionTranslator
{
    private RqlCondition Call(MethodCallExpression call)
    {
        switch (MarkerOf(call))
        {
            case Marker.In:
                return In(call, call.Arguments[0], call.Arguments[1]);
            case Marker.ContainsAny:
                return List(call, call.Arguments[0], call.Arguments[1], isAll: false);
            case Marker.ContainsAll:
                return List(call, call.Arguments[0], call.Arguments[1], isAll: true);
        }

        Type? type = call.Method.DeclaringType;
        string method = call.Method.Name;
        if (type == typeof(string))
        {
            return TextCall(call);
        }

        if (type == typeof(Regex))
        {
            return Pattern(call);
        }

        if ((type == typeof(Enumerable) ? Translatable.SequenceCall(method) : Translatable.Call(method)) is { } refusal)
        {
            return problems.Refuse(call, refusal);
        }

        return method == "Contains" ? Contains(call)
            : type == typeof(Enumerable) ? OfElements(call)
            : method == "HasFlag" && call.Object is { } flags ? HasFlag(call, flags)
            : method == "ContainsKey" && call.Object is { } map ? HasKey(call, map)
            : method == "Equals" ? Equal(call)
            : method == "get_Item" && call.Type == typeof(bool) && operands.TryFind(call) is { } flag
                ? new OperatorCondition(flag.Operand, "=", new ValueOperand(true))
            : problems.Refuse(call, Translatable.Computed);
    }

    private RqlCondition TextCall(MethodCallExpression call)
    {
        switch (call.Method.Name)
        {
            case "IsNullOrEmpty" when operands.TryFind(call.Arguments[0]) is { } field:
                return RqlConditions.Any([Equal(field, null), Equal(field, "")]);
            case "IsNullOrWhiteSpace" when operands.TryFind(call.Arguments[0]) is { } field:
                return RqlConditions.Any(
                    [Equal(field, null), Equal(field, ""), RqlConditions.Call("regex", field.Operand, new ValueOperand(@"^\s*$"))]);
            case "Equals":
                return Equal(call);
            case "StartsWith" or "EndsWith" or "Contains" when call.Object is { } text && operands.TryFind(text) is { } field && call.Arguments.Count <= 2:
                string name = call.Method.Name switch { "StartsWith" => "startsWith", "EndsWith" => "endsWith", _ => "contains" };
                return !Expressions.UsesParameter(call.Arguments[0]) && TryOperand(call.Arguments[0]) is { } value
                    ? WithCasing(RqlConditions.Call(name, field.Operand, value), call.Arguments.ElementAtOrDefault(1), call)
                    : problems.Refuse(call, "It needs a value.", "Assign the value to a variable before the query.");
            default:
                return problems.Refuse(call, Translatable.Computed);
        }
    }

    // x.Equals(y), string.Equals(x, y), each with or without a StringComparison
    private RqlCondition Equal(MethodCallExpression call)
    {
        List<Expression> compared = [.. call.Arguments];
        if (call.Object is { } instance)
        {
            compared.Insert(0, instance);
        }

        if (compared.Count is < 2 or > 3)
        {
            return problems.Refuse(call, Translatable.Computed);
        }

        (Expression left, Expression right) = Expressions.UsesParameter(compared[0]) ? (compared[0], compared[1]) : (compared[1], compared[0]);
        if (operands.TryFind(left) is not { } field || Expressions.UsesParameter(right))
        {
            return problems.Refuse(call, Translatable.Computed.Reason, "Compare a field with a value.");
        }

        return TryOperand(right, left) is { } value
            ? WithCasing(Compare(field, "=", value, call), compared.ElementAtOrDefault(2), call)
            : new RefusedCondition();
    }

    private RqlCondition WithCasing(RqlCondition condition, Expression? comparison, Expression call)
    {
        if (comparison is null)
        {
            return condition;
        }

        if (Expressions.UsesParameter(comparison) || !CapturedValues.TryRead(comparison, out object? value, out _) || value is not StringComparison kind)
        {
            return problems.Refuse(call, "How to compare must be known.", "Give a StringComparison.");
        }

        return kind is StringComparison.Ordinal or StringComparison.InvariantCulture or StringComparison.CurrentCulture
            ? RqlConditions.Call("exact", new ConditionOperand(condition))
            : condition;
    }

    private RqlCondition Pattern(MethodCallExpression call)
    {
        if (call is { Method.Name: "IsMatch", Object: null, Arguments: [var text, var pattern] } && operands.TryFind(text) is { } field)
        {
            return TryPattern(pattern) is { } value ? RqlConditions.Call("regex", field.Operand, value) : new RefusedCondition();
        }

        return problems.Refuse(call, Translatable.Pattern);
    }

    // Indexes that the server makes itself have texts in lower case, where a pattern with capital letters would find nothing.
    private ValueOperand? TryPattern(Expression pattern) => operands.IsIndex || IsExact || !CapturedValues.TryRead(pattern, out object? value, out _)
            || value is not string text || !text.Any(char.IsUpper)
        ? TryOperand(pattern)
        : new ValueOperand("(?i)" + text);

    // list.Contains(x.Name) or x.Tags.Contains("a"): of List, HashSet, Enumerable, MemoryExtensions.
    private RqlCondition Contains(MethodCallExpression call)
    {
        List<Expression> parts = call.Object is { } instance ? [instance, .. call.Arguments] : [.. call.Arguments];
        bool hasComparer = parts.Count == 3 && parts[2] is not ConstantExpression { Value: null };
        if (parts.Count is < 2 or > 3 || hasComparer)
        {
            return problems.Refuse(call, Translatable.Comparer);
        }

        if (!Expressions.UsesParameter(parts[0]))
        {
            return In(call, parts[1], parts[0]);
        }

        Type type = Expressions.Strip(parts[0]).Type;
        if (Expressions.IsMap(type) || !Expressions.IsSequence(type) || operands.TryFind(parts[0]) is not { } list)
        {
            return problems.Refuse(call, Translatable.Computed);
        }

        return Expressions.UsesParameter(parts[1])
            ? problems.Refuse(call, "It compares two fields, and an index finds fields by values.", "Index the comparison as a field of its own.")
            : TryOperand(parts[1], parts[1]) is { } value ? new OperatorCondition(list.Operand, "=", value) : new RefusedCondition();
    }

    private RqlCondition In(Expression call, Expression item, Expression list)
    {
        if (operands.TryFind(item) is not { } field || Expressions.UsesParameter(list))
        {
            return problems.Refuse(call, Translatable.Computed.Reason, "Check a field of the document against a list that is known.");
        }

        return TryElements(field, list, item, isAll: false) ?? (RqlCondition)new RefusedCondition();
    }

    private RqlCondition List(Expression call, Expression item, Expression list, bool isAll)
    {
        if (operands.TryFind(item) is not { } field || Expressions.UsesParameter(list))
        {
            return problems.Refuse(call, Translatable.Computed.Reason, "Check a list of the document for values that are known.");
        }

        return TryElements(field, list, null, isAll) is not { } condition ? new RefusedCondition()
            : isAll && condition.Values.Count == 0 ? new FixedCondition(true)
            : condition;
    }

    private ListCondition? TryElements(ResolvedField field, Expression list, Expression? comparedWith, bool isAll)
    {
        string problem = "";
        try
        {
            if (CapturedValues.TryRead(Expressions.Strip(list), out object? value, out problem)
                && Context.ToParameters(value, TypeOf(comparedWith)) is { } values)
            {
                return new ListCondition(field.Operand, isAll, values, CapturedValues.Origin(ReadUse.List, TypeOf(comparedWith)));
            }

            problems.Add(list, $"Its values cannot be read. {problem}", "Assign the list to a variable before the query.");
        }
        catch (NotSupportedException unknown)
        {
            problems.Add(
                list, $"Its values cannot be part of a query. {unknown.Message}", "Use values of simple types; round decimals, decimal.Round(value, 10).");
        }

        return null;
    }

    private RqlCondition HasKey(MethodCallExpression call, Expression map) =>
        operands.Fields.TryFind(map) is { IsId: false } path && !Expressions.UsesParameter(call.Arguments[0])
        && CapturedValues.TryRead(call.Arguments[0], out object? key, out _) && key is string { Length: > 0 } name
            ? RqlConditions.Call("exists", operands.Operand(path.Member(name, typeof(object))))
            : problems.Refuse(call, Translatable.Computed.Reason, "Ask for a key that is known.");

    private static OperatorCondition Equal(ResolvedField field, object? value) => new(field.Operand, "=", new ValueOperand(value));

    private static Marker? MarkerOf(MethodCallExpression call) => call.Method.GetCustomAttribute<TranslatedAsAttribute>()?.Marker;
}
