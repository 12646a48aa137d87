using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Jackdaw.Client.ExpressionTrees;

/// <summary>The value of an expression that depends on no row: captured variables, constants, and calls of them. It is read by reflection; nothing
/// is compiled.</summary>
internal static class CapturedValues
{
    /// <summary>Whether there is such a value.</summary>
    /// <param name="expression">An expression that uses no parameter.</param>
    /// <param name="problem">Why there is none.</param>
    public static bool TryRead(Expression expression, out object? value, out string problem)
    {
        (value, problem) = (null, "");
        try
        {
            value = Read(expression);
            CapturedReads.Note(expression, value);
            return true;
        }
        catch (NotSupportedException unknown)
        {
            problem = unknown.Message;
        }
        catch (TargetInvocationException failed)
        {
            problem = $"It throws {failed.InnerException?.GetType().Name}: {failed.InnerException?.Message}";
        }
        catch (Exception failed) when (failed is ArgumentException or InvalidCastException or NullReferenceException or ArithmeticException
            or IndexOutOfRangeException or FormatException or InvalidOperationException or TargetException or MemberAccessException
            or TargetParameterCountException)
        {
            problem = $"It throws {failed.GetType().Name}: {failed.Message}";
        }

        CapturedReads.NoteFailure();
        return false;
    }

    /// <summary>Where the value that was read last comes from, and what it is for.</summary>
    public static CapturedOrigin? Origin(ReadUse use, Type? comparedWith = null) =>
        CapturedReads.Last(use) is { } read ? new CapturedOrigin(read, comparedWith) : null;

    private static object? Read(Expression expression)
    {
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            throw new NotSupportedException("It is nested too deeply.");
        }

        switch (expression)
        {
            case ConstantExpression constant:
                return constant.Value;
            case LetExpression let:
                return Read(let.Value);
            case MemberExpression member:
                return ReadMember(member);
            case MethodCallExpression call:
                return ReadCall(call);
            case UnaryExpression unary:
                return ReadUnary(unary);
            case BinaryExpression binary:
                return CapturedOperators.Read(binary, Read);
            case ConditionalExpression choice:
                return Read(Read(choice.Test) is true ? choice.IfTrue : choice.IfFalse);
            case DefaultExpression fallback:
                return fallback.Type.IsValueType && !Expressions.IsNullable(fallback.Type) && fallback.Type != typeof(void) ? DefaultOf(fallback.Type) : null;
            case NewExpression { Constructor: { } constructor } made:
                return constructor.Invoke([.. made.Arguments.Select(Read)]);
            case NewExpression made:
                return DefaultOf(made.Type);
            case NewArrayExpression { NodeType: ExpressionType.NewArrayInit } array:
                return ReadArray(array);
            case NewArrayExpression { Expressions: [var length] } array:
                return Array.CreateInstanceFromArrayType(array.Type, System.Convert.ToInt32(Read(length)));
            case ListInitExpression list:
                return ReadList(list);
            case MemberInitExpression init:
                return ReadObject(init);
            case TypeBinaryExpression { NodeType: ExpressionType.TypeIs } test:
                return test.TypeOperand.IsInstanceOfType(Read(test.Expression));
            case InvocationExpression invocation when Read(invocation.Expression) is Delegate function:
                return function.DynamicInvoke([.. invocation.Arguments.Select(Read)]);
            default:
                throw new NotSupportedException("Its value is computed in a way that needs a compiler.");
        }
    }

    private static object? ReadMember(MemberExpression member)
    {
        object? instance = member.Expression is null ? null : Read(member.Expression);
        if (member.Expression is not null && instance is null)
        {
            return member.Member.Name == "HasValue" && Expressions.IsNullable(member.Expression.Type)
                ? false
                : throw new NotSupportedException($"{Expressions.Describe(member.Expression)} is null.");
        }

        // A boxed Nullable is the same as its value.
        if (member.Expression is { } inner && Expressions.IsNullable(inner.Type))
        {
            return member.Member.Name == "HasValue" ? true : instance;
        }

        return member.Member switch
        {
            FieldInfo field => field.GetValue(instance),
            PropertyInfo property => property.GetValue(instance),
            _ => throw new NotSupportedException($"{member.Member.Name} is neither a field nor a property."),
        };
    }

    private static object? ReadCall(MethodCallExpression call)
    {
        if (call.Method.Name == "op_Implicit" && Expressions.IsSpan(call.Type))
        {
            return Read(call.Arguments[0]);
        }

        if (call.Method.IsDefined(typeof(OnlyInExpressionsAttribute)))
        {
            throw new NotSupportedException($"{call.Method.Name} is only for rows.");
        }

        if (call.Arguments.Any(argument => Expressions.Strip(argument) is LambdaExpression))
        {
            throw new NotSupportedException("It calls a method with a lambda.");
        }

        object? instance = call.Object is null ? null : Read(call.Object);
        object?[] arguments = [.. call.Arguments.Select(Read)];
        if (call.Object is { } target && Expressions.IsNullable(target.Type) && call.Method.Name == "GetValueOrDefault")
        {
            return instance ?? (arguments.Length > 0 ? arguments[0] : DefaultOf(Expressions.Plain(target.Type)));
        }

        return instance is null && call.Object is not null
            ? throw new NotSupportedException($"{Expressions.Describe(call.Object)} is null.")
            : call.Method.Invoke(instance, arguments);
    }

    private static object? ReadUnary(UnaryExpression unary)
    {
        object? operand = Read(unary.Operand);
        switch (unary.NodeType)
        {
            case ExpressionType.Convert or ExpressionType.ConvertChecked:
                return Convert(operand, unary);
            case ExpressionType.TypeAs:
                return unary.Type.IsInstanceOfType(operand) ? operand : null;
            case ExpressionType.ArrayLength when operand is Array array:
                return array.Length;
            case ExpressionType.Not when operand is bool flag:
                return !flag;
            case ExpressionType.Negate or ExpressionType.NegateChecked when operand is IConvertible && unary.Method is null:
                return CapturedOperators.Negate(operand, unary.Type);
            default:
                return operand is null ? null
                    : unary.Method is { } method ? method.Invoke(null, [operand])
                    : throw new NotSupportedException($"The operator {unary.NodeType} is only for rows.");
        }
    }

    private static object? Convert(object? operand, UnaryExpression convert)
    {
        Type target = Expressions.Plain(convert.Type);
        if (convert.Method is { } method && !(operand is null && Expressions.IsNullable(convert.Operand.Type)))
        {
            return method.Invoke(null, [operand]);
        }

        return operand is null || target.IsInstanceOfType(operand) ? operand
            : target.IsEnum ? Enum.ToObject(target, System.Convert.ToInt64(operand))
            : target.IsPrimitive && operand is IConvertible ? CapturedOperators.To(operand, target)
            : throw new NotSupportedException($"A {operand.GetType().Name} is not a {target.Name}.");
    }

    [System.Diagnostics.CodeAnalysis.UnconditionalSuppressMessage("Trimming", "IL2067", Justification = "Only of structs, whose default needs no constructor.")]
    private static object DefaultOf(Type type) => RuntimeHelpers.GetUninitializedObject(type);

    private static Array ReadArray(NewArrayExpression array)
    {
        var values = Array.CreateInstanceFromArrayType(array.Type, array.Expressions.Count);
        for (int i = 0; i < array.Expressions.Count; i++)
        {
            values.SetValue(Read(array.Expressions[i]), i);
        }

        return values;
    }

    private static object ReadList(ListInitExpression list)
    {
        object made = Read(list.NewExpression)!;
        foreach (ElementInit element in list.Initializers)
        {
            element.AddMethod.Invoke(made, [.. element.Arguments.Select(Read)]);
        }

        return made;
    }

    private static object ReadObject(MemberInitExpression init)
    {
        object made = Read(init.NewExpression)!;
        foreach (MemberBinding binding in init.Bindings)
        {
            switch (binding)
            {
                case MemberAssignment { Member: PropertyInfo property } assignment:
                    property.SetValue(made, Read(assignment.Expression));
                    break;
                case MemberAssignment { Member: FieldInfo field } assignment:
                    field.SetValue(made, Read(assignment.Expression));
                    break;
                default:
                    throw new NotSupportedException($"{binding.Member.Name} is filled within its object.");
            }
        }

        return made;
    }

    /// <summary>The elements of a captured list; null when the value is not a list.</summary>
    /// <exception cref="NotSupportedException">The list throws when it is read: it may be a query of the caller that fails.</exception>
    [SuppressMessage("Design", "CA1031", Justification = "Sequences of users may throw anything; the message names the reason.")]
    public static List<object?>? Elements(object? value)
    {
        try
        {
            return value is IEnumerable list and not string ? [.. list.Cast<object?>()] : null;
        }
        catch (Exception failed) when (failed is not OutOfMemoryException)
        {
            throw new NotSupportedException($"Its elements cannot be read: {failed.GetType().Name}: {failed.Message}", failed);
        }
    }

    /// <summary>Like <see cref="Elements"/>, but null also when the list throws.</summary>
    public static List<object?>? TryElements(object? value)
    {
        try
        {
            return Elements(value);
        }
        catch (NotSupportedException)
        {
            return null;
        }
    }
}
