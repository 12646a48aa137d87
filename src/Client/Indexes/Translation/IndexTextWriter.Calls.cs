using System.Globalization;
using System.Linq.Expressions;
using System.Reflection;
using System.Text.RegularExpressions;
using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Indexes.Translation;

/// <summary>Calls of methods of values, of .NET, and of functions of indexes.</summary>
internal sealed partial class IndexTextWriter
{
    private static readonly HashSet<string> s_numberFunctions =
    [
        "Abs", "Floor", "Ceiling", "Truncate", "Sign", "Max", "Min", "Pow", "Sqrt", "Exp", "Log", "Log10", "Sin", "Cos", "Tan", "Atan2", "Round",
    ];

    private static readonly HashSet<string> s_conversions =
        ["ToInt32", "ToInt64", "ToDouble", "ToDecimal", "ToString", "ToBoolean", "ToDateTime"];

    private static readonly HashSet<string> s_additions =
        ["AddYears", "AddMonths", "AddDays", "AddHours", "AddMinutes", "AddSeconds", "AddMilliseconds", "AddTicks", "Add", "Subtract"];

    private CodeText Call(MethodCallExpression call)
    {
        MethodInfo method = call.Method;
        if (method.GetCustomAttribute<IndexFunctionAttribute>() is { } function)
        {
            return Function(call, function.Owner);
        }

        if (method.Name == "op_Implicit" && Expressions.IsSpan(call.Type))
        {
            return Write(call.Arguments[0]);
        }

        Type? type = method.DeclaringType;
        if (method.Name == "Equals" && call.Arguments.Count == (call.Object is null ? 2 : 1))
        {
            return Equality(call.Object ?? call.Arguments[0], call.Arguments[^1]);
        }

        return type == typeof(Enumerable) || type == typeof(MemoryExtensions) ? OfSequence(call)
            : type == typeof(string) ? OfText(call)
            : type == typeof(Math) ? OfNumbers(call)
            : type == typeof(System.Convert) ? s_conversions.Contains(method.Name) && call.Arguments.Count == 1
                ? new CodeText($"Convert.{method.Name}({Write(call.Arguments[0]).Text})") : RefuseCall(call)
            : type == typeof(Regex) ? OfRegex(call)
            : call.Object is { } value ? OfValue(call, value)
            : OfType(call, type!);
    }

    private CodeText Equality(Expression left, Expression right)
    {
        Expression first = Unboxed(left);
        Expression second = Unboxed(right);
        return new CodeText(
            $"{Beside(first, second).As(Tightness.Equality)} == {Beside(second, first).As(Tightness.Relation)}", Tightness.Equality, CodeKind.Native);
    }

    private static Expression Unboxed(Expression value) =>
        value is UnaryExpression { NodeType: ExpressionType.Convert } convert && !convert.Type.IsValueType ? convert.Operand : value;

    // LoadDocument, CreateField and all the others that definitions call by their names.
    private CodeText Function(MethodCallExpression call, string? owner)
    {
        string name = call.Method.Name;
        List<string> arguments = [.. call.Arguments.Select(argument =>
            Expressions.Strip(argument) is LambdaExpression ? Lambda(argument, []) : Write(argument).AsArgument)];
        if (name == "LoadDocument" && call.Arguments.Count == 1
            && _context.Conventions.GetCollectionName(call.Method.GetGenericArguments()[0]) is { } collection)
        {
            arguments.Add(CSharpText.Text(collection));
        }

        string types = name is "TryConvert" or "Value" ? $"<{TypeName(call.Method.GetGenericArguments()[0])}>" : "";
        string before = owner == "this" ? Write(call.Object!, Tightness.Primary) + "." : owner is null ? "" : owner + ".";
        CodeKind kind = name == "Recurse" ? CodeKind.Sequence : name == "Value" ? CodeKind.Native : CodeKind.Value;
        return new CodeText($"{before}{name}{types}({string.Join(", ", arguments)})", Kind: kind);
    }

    private CodeText OfNumbers(MethodCallExpression call)
    {
        string name = call.Method.Name;
        if (name == "Clamp")
        {
            string[] of = [.. call.Arguments.Select(argument => Write(argument).AsArgument)];
            return new CodeText($"Math.Min(Math.Max({of[0]}, {of[1]}), {of[2]})");
        }

        if (!s_numberFunctions.Contains(name) || (name == "Log" && call.Arguments.Count == 2))
        {
            return RefuseCall(call);
        }

        List<CodeText> arguments = [.. call.Arguments.Select(Write)];
        if (name is "Round" or "Floor" or "Ceiling" or "Truncate" && call.Type == typeof(decimal))
        {
            arguments[0] = Timed(arguments[0], call.Arguments[0].Type);
        }

        // 0 digits could also be a way to round.
        if (name == "Round" && arguments.Count == 2 && arguments[1].Text == "0")
        {
            arguments.RemoveAt(1);
        }

        CodeKind kind = call.Type == typeof(decimal) && arguments.All(argument => argument.IsExact) ? CodeKind.Exact : CodeKind.Value;
        return new CodeText($"Math.{name}({Listed(arguments)})", Kind: kind);
    }

    private CodeText OfRegex(MethodCallExpression call)
    {
        if (call.Method.Name is not ("IsMatch" or "Replace" or "Match" or "Matches" or "Split" or "Escape"))
        {
            return RefuseCall(call);
        }

        List<CodeText> arguments = [.. call.Arguments.Where(argument => !argument.Type.IsSubclassOf(typeof(Delegate))).Select(Write)];
        if (arguments.Count < call.Arguments.Count)
        {
            return RefuseCall(call);
        }

        if (call.Object is { } instance)
        {
            if (!CapturedValues.TryRead(instance, out object? value, out _) || value is not Regex regex)
            {
                return RefuseCall(call);
            }

            arguments.Insert(1, new CodeText(CSharpText.Text(regex.ToString()), Kind: CodeKind.Text));
            if ((regex.Options & ~RegexOptions.Compiled) is var options && options != RegexOptions.None)
            {
                arguments.Add(new CodeText(Constant(options)));
            }
        }

        return new CodeText($"Regex.{call.Method.Name}({Listed(arguments)})");
    }

    private CodeText OfValue(MethodCallExpression call, Expression value)
    {
        Type type = Expressions.Plain(value.Type);
        string name = call.Method.Name;
        if (name == "GetValueOrDefault" && Expressions.IsNullable(value.Type))
        {
            return (call.Arguments.Count > 0 ? Write(call.Arguments[0]) : DefaultOf(type)) is { } other ? Coalesce(Write(value), other) : Write(value);
        }

        if (name == "ToString")
        {
            return ToText(call, value, type);
        }

        if (name == "get_Item")
        {
            return Item(value, call.Arguments[0]);
        }

        if (Expressions.IsSequence(type))
        {
            return OfList(call, value);
        }

        if (name == "CompareTo" && call.Arguments.Count == 1 && !type.IsEnum)
        {
            CodeText owner = Timed(Write(value), value.Type);
            CodeText first = owner.IsValue ? owner : Dynamic(owner);
            return new CodeText($"{first.As(Tightness.Primary)}.CompareTo({Write(Unboxed(call.Arguments[0])).Text})", Kind: CodeKind.Native);
        }

        if (s_additions.Contains(name) && call.Arguments.Count == 1 && (type == typeof(DateTime) || (type == typeof(TimeSpan) && name is "Add" or "Subtract")))
        {
            CodeText owner = type == typeof(TimeSpan) ? Timed(Write(value), value.Type) : Write(value);
            CodeText argument = Timed(Write(call.Arguments[0]), IsTime(call.Arguments[0].Type) ? call.Arguments[0].Type : typeof(object));
            return owner.IsValue || !argument.IsValue
                ? new CodeText($"{owner.As(Tightness.Primary)}.{name}({argument.Text})", Kind: owner.Kind)
                : new CodeText($"{Dynamic(owner).Text}.{name}({argument.Text})");
        }

        bool isOfTime = (type == typeof(DateOnly) || type == typeof(TimeOnly) || type == typeof(TimeSpan)) && IsOfSystem(call.Type);
        return isOfTime
            ? new CodeText(
                $"{Native(value, type).As(Tightness.Primary)}.{name}({Natives(call.Arguments, call.Method)})",
                Kind: CodeKind.Native)
            : RefuseCall(call);
    }

    private CodeText ToText(MethodCallExpression call, Expression value, Type type)
    {
        List<Expression> arguments = [.. call.Arguments];
        if (arguments.Count > 0 && typeof(IFormatProvider).IsAssignableFrom(arguments[^1].Type))
        {
            if (!IsInvariant(arguments[^1]))
            {
                return Refuse(call, "The server writes numbers and times in the same way for everybody.", "Use CultureInfo.InvariantCulture.");
            }

            arguments.RemoveAt(arguments.Count - 1);
        }

        if (type.IsEnum && (arguments.Count > 0 || (IsWrittenAsNumber(type) && type != typeof(DayOfWeek))))
        {
            return Refuse(call, "Documents hold the enum as it is saved.", "Use the property itself.");
        }

        CodeText text = Write(value);
        text = arguments.Count > 0 ? Timed(text, type == typeof(decimal) ? value.Type : typeof(object)) : text;
        return new CodeText($"{text.As(Tightness.Primary)}.ToString({Arguments(arguments)})", Kind: CodeKind.Text);
    }

    private static bool IsInvariant(Expression provider) =>
        CapturedValues.TryRead(provider, out object? value, out _) && (value is null || value is CultureInfo { Name: "" });

    private static CodeText Dynamic(CodeText value) => new($"((dynamic){value.As(Tightness.Unary)})");

    // Static methods of .NET and of additional sources.
    private CodeText OfType(MethodCallExpression call, Type type)
    {
        string name = call.Method.Name;
        if (name is "Parse" && call.Arguments.Count <= 2 && call.Arguments.Skip(1).All(IsInvariant))
        {
            CodeText text = Write(call.Arguments[0]);
            return type == typeof(DateTime) || type == typeof(DateTimeOffset) ? new CodeText($"DateTime.Parse({text.Text})")
                : type == typeof(Guid) ? text
                : Expressions.IsWhole(type) ? new CodeText($"Convert.ToInt64({text.Text})")
                : type == typeof(decimal) ? new CodeText($"Convert.ToDecimal({text.Text})", Kind: CodeKind.Exact)
                : Expressions.IsFraction(type) ? new CodeText($"Convert.ToDouble({text.Text})", Kind: CodeKind.Exact)
                : TypeName(type).Length > 0 ? Native(call.Arguments[0], type)
                : RefuseCall(call);
        }

        if (type == typeof(DateTime) && name == "ParseExact" && call.Arguments.Count == 3 && IsInvariant(call.Arguments[2]))
        {
            return new CodeText($"DateTime.ParseExact({Arguments(call.Arguments.Take(2))}, CultureInfo.InvariantCulture)");
        }

        if (type == typeof(TimeSpan) && name.StartsWith("From", StringComparison.Ordinal) && call.Arguments.Count == 1)
        {
            return new CodeText($"TimeSpan.{name}({Write(call.Arguments[0]).Text})", Kind: CodeKind.Exact);
        }

        if (_context.IsInSources(type))
        {
            return new CodeText($"{type.Name}.{name}({Arguments(call.Arguments)})", Kind: call.Type == typeof(string) ? CodeKind.Text : CodeKind.Value);
        }

        bool isOfValues = (type == typeof(char) && call.Type != typeof(string))
            || ((type == typeof(DateTime) || type == typeof(DateOnly) || type == typeof(TimeOnly))
            && name is "DaysInMonth" or "IsLeapYear" or "SpecifyKind" or "FromDateTime" or "FromDayNumber" or "FromTimeSpan");
        return isOfValues
            ? new CodeText(
                $"{(type == typeof(char) ? "char" : type.Name)}.{name}({Natives(call.Arguments, call.Method)})",
                Kind: CodeKind.Native)
            : Refuse(call, $"{type.Name}.{name} runs only in the program.",
                $"Give the source of {type.Name} to AdditionalSources, or write the expression itself.");
    }
}
