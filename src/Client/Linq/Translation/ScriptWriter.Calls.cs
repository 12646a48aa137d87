using System.Collections.ObjectModel;
using System.Linq.Expressions;
using System.Text.RegularExpressions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Calls of methods.</summary>
internal sealed partial class ScriptWriter
{
    private Script Call(MethodCallExpression call)
    {
        if (MarkerOf(call) is { } marker)
        {
            return Marked(call, marker);
        }

        if (call.Method.Name == "op_Implicit" && Expressions.IsSpan(call.Type))
        {
            return WriteParts(call.Arguments[0]);
        }

        Type? type = call.Method.DeclaringType;
        return IsSessionLoad(call) ? new Script($"load({Arguments(call.Arguments.Take(1))})")
            : type == typeof(string) ? OfText(call)
            : type == typeof(Math) ? OfNumbers(call)
            : type == typeof(Enumerable) || type == typeof(MemoryExtensions) ? OfSequence(call.Method.Name, [.. call.Arguments], call)
            : call.Object is { } list && Expressions.IsSequence(list.Type) ? OfList(call, list)
            : call.Object is { } value ? OfValue(call, value)
            : call.Method.Name is "Parse" or "ToInt32" or "ToInt64" or "ToDouble" or "ToDecimal" && call.Arguments.Count == 1
                ? new Script($"Number({Write(call.Arguments[0])})")
            : Refuse(call);
    }

    // session.Load<T>(x.OtherId): the server loads it within the projection.
    private static bool IsSessionLoad(MethodCallExpression call) =>
        call is { Method.Name: "Load", Object: not null, Arguments: [{ } id, ..] } && id.Type == typeof(string) && Expressions.UsesParameter(id)
        && call.Method.DeclaringType?.Namespace?.StartsWith("Jackdaw.Client", StringComparison.Ordinal) == true;

    private Script Marked(MethodCallExpression call, Marker marker)
    {
        switch (marker)
        {
            case Marker.In:
                return new Script($"{Write(call.Arguments[1], Level.Call)}.includes({Write(call.Arguments[0])})");
            case Marker.ContainsAny:
                return new Script($"{Write(call.Arguments[1], Level.Call)}.some(any_=>{Write(call.Arguments[0], Level.Call)}.includes(any_))");
            case Marker.ContainsAll:
                return new Script($"{Write(call.Arguments[1], Level.Call)}.every(all_=>{Write(call.Arguments[0], Level.Call)}.includes(all_))");
            case Marker.Load or Marker.LoadMany:
                return new Script($"load({Arguments(call.Arguments)})");
            case Marker.Raw:
                return CapturedValues.TryRead(call.Arguments[0], out object? script, out _) && script is string text && !text.Contains('\u0001')
                    ? new Script(text, Level.Lambda) : Refuse(call, "Give the script as a text.");
            case Marker.Metadata:
                return new Script($"getMetadata({Arguments(call.Arguments)})");
            case Marker.LastModified:
                return new Script($"lastModified({Arguments(call.Arguments)})");
            case Marker.CompareExchange:
                return new Script($"cmpxchg({Arguments(call.Arguments)})");
            default:
                return new Script($"counter({Arguments(call.Arguments)})");
        }
    }

    private Script OfText(MethodCallExpression call)
    {
        ReadOnlyCollection<Expression> arguments = call.Arguments;
        if (call.Object is not { } text)
        {
            return OfTexts(call);
        }

        string owner = Write(text, Level.Call);
        if (arguments.Count > 0 && arguments[^1].Type == typeof(StringComparison))
        {
            return WithComparison(call, owner);
        }

        string? method = call.Method.Name switch
        {
            "Contains" => "includes",
            "StartsWith" => "startsWith",
            "EndsWith" => "endsWith",
            "ToUpper" or "ToUpperInvariant" => "toUpperCase",
            "ToLower" or "ToLowerInvariant" => "toLowerCase",
            "Trim" when arguments.Count == 0 => "trim",
            "TrimStart" when arguments.Count == 0 => "trimStart",
            "TrimEnd" when arguments.Count == 0 => "trimEnd",
            "IndexOf" => "indexOf",
            "LastIndexOf" => "lastIndexOf",
            "PadLeft" => "padStart",
            "PadRight" => "padEnd",
            "Split" when arguments[0].Type == typeof(char) || arguments[0].Type == typeof(string) => "split",
            _ => null,
        };
        return call.Method.Name switch
        {
            "Substring" when arguments.Count == 1 => new Script($"{owner}.substring({Write(arguments[0])})"),
            "Substring" => new Script($"{owner}.substring({Write(arguments[0])}, {Write(arguments[0], Level.Sum)}+{Write(arguments[1], Level.Product)})"),
            "Replace" => new Script($"{owner}.split({Write(arguments[0])}).join({Write(arguments[1])})"),
            "get_Chars" => new Script($"{owner}[{Write(arguments[0])}]"),
            "Equals" => new Script($"{owner}==={Write(arguments[0], Level.Relation)}", Level.Equality),
            "ToString" => new Script(owner),
            "Split" => method is null ? Refuse(call) : new Script($"{owner}.split({Write(arguments[0])})"),
            _ => method is null ? Refuse(call) : new Script($"{owner}.{method}({Arguments(arguments)})"),
        };
    }

    private Script WithComparison(MethodCallExpression call, string owner)
    {
        string? method = call.Method.Name switch
        {
            "Contains" => "includes",
            "StartsWith" => "startsWith",
            "EndsWith" => "endsWith",
            "Equals" => "===",
            _ => null,
        };
        if (method is null || call.Arguments.Count != 2 || !CapturedValues.TryRead(call.Arguments[1], out object? value, out _)
            || value is not StringComparison comparison)
        {
            return Refuse(call);
        }

        bool ignoresCase = comparison is StringComparison.OrdinalIgnoreCase or StringComparison.InvariantCultureIgnoreCase
            or StringComparison.CurrentCultureIgnoreCase;
        string other = Write(call.Arguments[0], Level.Call) + (ignoresCase ? ".toLowerCase()" : "");
        owner += ignoresCase ? ".toLowerCase()" : "";
        return method == "===" ? new Script($"{owner}==={other}", Level.Equality) : new Script($"{owner}.{method}({other})");
    }

    private Script OfTexts(MethodCallExpression call)
    {
        ReadOnlyCollection<Expression> arguments = call.Arguments;
        string First() => Write(arguments[0], Level.Call);
        return call.Method.Name switch
        {
            "IsNullOrEmpty" => new Script($"({First()}==null||{First()}===\"\")"),
            "IsNullOrWhiteSpace" => new Script($"({First()}==null||{First()}.trim()===\"\")"),
            "Concat" when arguments.All(part => !Expressions.IsSequence(part.Type)) =>
                new Script(string.Join('+', arguments.Select(TextPart).Prepend("\"\"")), Level.Sum),
            "Concat" => new Script($"{First()}.join(\"\")"),
            "Join" when arguments is [_, NewArrayExpression or { Type.IsArray: true } or MethodCallExpression or MemberExpression] =>
                new Script($"{Write(arguments[1], Level.Call)}.join({Write(arguments[0])})"),
            "Format" => Format(call),
            "Equals" when arguments.Count == 2 => new Script($"{Write(arguments[0], Level.Equality)}==={Write(arguments[1], Level.Relation)}", Level.Equality),
            _ => Refuse(call),
        };
    }

    // string.Format("{0} of {1:N2}", a, b), which is also what an interpolated text becomes.
    private Script Format(MethodCallExpression call)
    {
        List<Expression> arguments = [.. call.Arguments is [_, NewArrayExpression array] ? array.Expressions : call.Arguments.Skip(1)];
        if (!CapturedValues.TryRead(call.Arguments[0], out object? value, out _) || value is not string format)
        {
            return Refuse(call);
        }

        List<string> parts = [];
        int position = 0;
        foreach (Match hole in Regex.Matches(format, @"\{(\d+)(?::([^{}]+))?\}"))
        {
            int index = int.Parse(hole.Groups[1].Value);
            if (index >= arguments.Count)
            {
                return Refuse(call);
            }

            parts.Add(RqlNames.ScriptText(format[position..hole.Index]));
            parts.Add(hole.Groups[2].Success
                ? $"toStringWithFormat({Write(arguments[index])}, {RqlNames.ScriptText(hole.Groups[2].Value)})"
                : TextPart(arguments[index]));
            position = hole.Index + hole.Length;
        }

        string rest = format[position..];
        parts.Add(RqlNames.ScriptText(rest));
        return format.Contains("{{", StringComparison.Ordinal) || rest.Contains('{') ? Refuse(call)
            : new Script(string.Join('+', parts.Where((part, i) => i == 0 || part != "\"\"")), Level.Sum);
    }

    private Script OfNumbers(MethodCallExpression call)
    {
        string? function = call.Method.Name switch
        {
            "Abs" or "Floor" or "Max" or "Min" or "Pow" or "Sqrt" or "Sign" or "Exp" or "Log10" => call.Method.Name.ToLowerInvariant(),
            "Ceiling" => "ceil",
            "Truncate" => "trunc",
            "Log" when call.Arguments.Count == 1 => "log",
            _ => null,
        };
        return function is null
            ? Refuse(call, "Scripts round in another way: select the number and round it in the program.")
            : new Script($"Math.{function}({Arguments(call.Arguments)})");
    }

    private Script OfValue(MethodCallExpression call, Expression value)
    {
        Type type = Expressions.Plain(value.Type);
        switch (call.Method.Name)
        {
            case "GetValueOrDefault":
                string fallback = call.Arguments.Count > 0 ? Write(call.Arguments[0], Level.Sum) : type == typeof(bool) ? "false" : "0";
                return new Script($"({Write(value, Level.Sum)}??{fallback})");
            case "ToString" when call.Arguments.Count == 0 && type != typeof(bool):
                return new Script(type.IsEnum || type == typeof(char) ? Write(value) : $"String({Write(value)})");
            case "ToString" when call.Arguments is [var format] && format.Type == typeof(string):
                return new Script($"toStringWithFormat({Write(value)}, {Write(format)})");
            case "Equals" when call.Arguments.Count == 1:
                return new Script($"{Write(value, Level.Equality)}==={Beside(Expressions.Strip(call.Arguments[0]), value, Level.Relation)}", Level.Equality);
        }

        long? milliseconds = call.Method.Name switch
        {
            "AddDays" => 86_400_000,
            "AddHours" => 3_600_000,
            "AddMinutes" => 60_000,
            "AddSeconds" => 1_000,
            "AddMilliseconds" => 1,
            _ => null,
        };
        return milliseconds is { } unit && IsTime(value)
            ? new Script($"new Date({Time(value)}+{Write(call.Arguments[0], Level.Product)}*{unit})")
            : Refuse(call);
    }
}
