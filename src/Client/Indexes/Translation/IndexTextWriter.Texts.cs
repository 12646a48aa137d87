using System.Linq.Expressions;
using System.Text.RegularExpressions;
using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Indexes.Translation;

/// <summary>Methods of texts.</summary>
internal sealed partial class IndexTextWriter
{
    private static readonly HashSet<string> s_textMethods =
    [
        "ToLower", "ToUpper", "ToLowerInvariant", "ToUpperInvariant", "Trim", "TrimStart", "TrimEnd", "Substring", "StartsWith", "EndsWith", "Contains",
        "IndexOf", "LastIndexOf", "Replace", "Insert", "Remove", "PadLeft", "PadRight", "Split", "ToCharArray", "Normalize", "CompareTo", "Equals",
    ];

    private CodeText OfText(MethodCallExpression call)
    {
        if (call.Object is not { } text)
        {
            return OfTexts(call);
        }

        string name = call.Method.Name;
        if (name == "get_Chars")
        {
            return Item(text, call.Arguments[0]);
        }

        CodeText owner = Write(text);
        if (name == "ToString")
        {
            return owner;
        }

        if (!s_textMethods.Contains(name) || !HasKnownArguments(call, name))
        {
            return RefuseCall(call);
        }

        List<CodeText> arguments = [.. Spread(call).Select(Write)];
        owner = !owner.IsValue && arguments.Exists(argument => argument.IsValue) ? Dynamic(owner) : owner;
        CodeKind kind = call.Type == typeof(bool) || name == "CompareTo" ? CodeKind.Native
            : !owner.IsValue && call.Type == typeof(string) ? CodeKind.Text
            : CodeKind.Value;
        return new CodeText($"{owner.As(Tightness.Primary)}.{name}({Listed(arguments)})", Kind: kind);
    }

    // The server's methods take no cultures and no start positions, and ways to compare only in tests of texts.
    private static bool HasKnownArguments(MethodCallExpression call, string name)
    {
        Type[] types = [.. call.Arguments.Select(argument => argument.Type)];
        bool hasComparison = types.Length > 0 && types[^1] == typeof(StringComparison);
        return types.All(type => !typeof(IFormatProvider).IsAssignableFrom(type) && type != typeof(System.Text.NormalizationForm)) && name switch
        {
            "StartsWith" or "EndsWith" or "Contains" or "Equals" => types.Length == (hasComparison ? 2 : 1),
            "IndexOf" or "LastIndexOf" or "CompareTo" => types.Length == 1,
            "Split" => types.Length == 0 || types.All(type => type != typeof(int)),
            "ToCharArray" => types.Length == 0,
            _ => !hasComparison && types.All(type => type != typeof(bool)),
        };
    }

    // The elements of a list of parameters, as C# writes them.
    private static List<Expression> Spread(MethodCallExpression call) =>
        call.Method.GetParameters() is [.., var last] && last.IsDefined(typeof(ParamArrayAttribute), inherit: false)
            && call.Arguments[^1] is NewArrayExpression { NodeType: ExpressionType.NewArrayInit } array
            ? [.. call.Arguments.SkipLast(1), .. array.Expressions]
            : [.. call.Arguments];

    private CodeText OfTexts(MethodCallExpression call)
    {
        switch (call.Method.Name)
        {
            case "IsNullOrEmpty" or "IsNullOrWhiteSpace":
                return new CodeText($"string.{call.Method.Name}({Write(call.Arguments[0]).Text})", Kind: CodeKind.Native);
            case "Concat":
                return call.Arguments.Count == 1 && Expressions.IsSequence(call.Arguments[0].Type) && call.Arguments[0] is not NewArrayExpression
                    ? new CodeText($"string.Concat({Write(call.Arguments[0]).Text})")
                    : Concatenation([.. Spread(call).SelectMany(Parts)]);
            case "Join" when call.Arguments.Count == 2:
                return new CodeText($"string.Join({Arguments(call.Arguments)})");
            case "Format":
                return Format(call);
            case "Compare" or "CompareOrdinal" when call.Arguments.Count == 2:
                return new CodeText($"string.{call.Method.Name}({Arguments(call.Arguments)})", Kind: CodeKind.Native);
            case "Equals" when call.Arguments.Count == 3:
                return new CodeText($"string.Equals({Arguments(call.Arguments)})", Kind: CodeKind.Native);
            default:
                return RefuseCall(call);
        }
    }

    // string.Format("{0} of {1:N2}", a, b), which is also what an interpolated text becomes.
    private CodeText Format(MethodCallExpression call)
    {
        List<Expression> arguments = [.. Spread(call)];
        if (typeof(IFormatProvider).IsAssignableFrom(arguments[0].Type))
        {
            if (!IsInvariant(arguments[0]))
            {
                return Refuse(call, "The server writes numbers and times in the same way for everybody.", "Use CultureInfo.InvariantCulture.");
            }

            arguments.RemoveAt(0);
        }

        if (Expressions.UsesParameter(arguments[0]) || !CapturedValues.TryRead(arguments[0], out object? value, out _) || value is not string format
            || arguments.Skip(1).Any(argument => argument is not NewArrayExpression && argument.Type.IsArray))
        {
            return Refuse(call, "The format depends on the document.", "Give the format as a constant, and its values one by one.");
        }

        bool hasFormats = Regex.IsMatch(format, @"\{\d+[^}]*:");
        IEnumerable<string> values = arguments.Skip(1).Select(argument =>
        {
            Expression inner = Unboxed(argument);
            return (hasFormats && Expressions.Plain(inner.Type) == typeof(decimal) ? Timed(Write(inner), inner.Type) : Write(inner)).AsArgument;
        });
        return new CodeText($"string.Format({CSharpText.Text(format)}, {string.Join(", ", values)})");
    }
}
