using System.Collections;
using System.Globalization;
using System.Linq.Expressions;
using System.Text.Json;
using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Indexes.Translation;

/// <summary>Values of the program, as documents and the server's compiler have them.</summary>
internal sealed partial class IndexTextWriter
{
    private static CodeText Value(string text) => new(text);

    // Null if the value cannot be written.
    private CodeText? Literal(object? value, Type type)
    {
        switch (value)
        {
            case null:
                return Value("null");
            case string text:
                return new CodeText(CSharpText.Text(text), Kind: CodeKind.Text);
            case bool flag:
                return new CodeText(flag ? "true" : "false", Kind: CodeKind.Native);
            case char c:
                return new CodeText(CSharpText.Character(c), Kind: CodeKind.Native);
            case DateTime time:
                return new CodeText(CSharpText.Time(time), Kind: CodeKind.Native);
            case DateTimeOffset time:
                return new CodeText(CSharpText.Time(time.UtcDateTime), Kind: CodeKind.Native);
            case TimeSpan length:
                return new CodeText(CSharpText.Duration(length), Kind: CodeKind.Native);
            case byte[] bytes:
                return new CodeText(CSharpText.Text(System.Convert.ToBase64String(bytes)), Kind: CodeKind.Text);
            case Enum constant when IsOfSystem(constant.GetType()):
                return new CodeText(Constant(constant), constant.ToString().Contains(',') ? Tightness.Or : Tightness.Primary, CodeKind.Native);
            case ICodeLiteral literal:
                return new CodeText(literal.ToCode(), Kind: CodeKind.Native);
            case IDictionary dictionary:
                return Dictionary(dictionary);
        }

        if (value is not Enum && CSharpText.Number(value) is { } digits)
        {
            return new CodeText(digits, digits[0] == '-' ? Tightness.Unary : Tightness.Primary, CodeKind.Native);
        }

        return value is IEnumerable list ? Elements(list) : Expressions.IsLeaf(type) || value is Enum || value is IFormattable ? Serialized(value) : null;
    }

    // As the serializer writes it: an enum by its name or number, an id of another type as its text.
    private CodeText? Serialized(object value)
    {
        object? written;
        try
        {
            written = _context.Names.ToParameter(value);
        }
        catch (NotSupportedException)
        {
            return null;
        }

        return written is JsonElement or null ? null
            : Literal(written is long and >= int.MinValue and <= int.MaxValue ? (int)(long)written : written, written.GetType());
    }

    private CodeText? Elements(IEnumerable list)
    {
        if (CapturedValues.TryElements(list) is not { } values)
        {
            return null;
        }

        List<CodeText> elements = [];
        foreach (object? element in values)
        {
            if (Literal(element, element?.GetType() ?? typeof(object)) is not { } literal)
            {
                return null;
            }

            elements.Add(literal);
        }

        return ArrayOf(elements);
    }

    private CodeText? Dictionary(IDictionary dictionary)
    {
        List<string> entries = [];
        foreach (DictionaryEntry entry in dictionary)
        {
            object? key = _context.Names.ToParameter(entry.Key);
            if (Literal(entry.Value, entry.Value?.GetType() ?? typeof(object)) is not { } value || key is null)
            {
                return null;
            }

            string name = System.Convert.ToString(key, CultureInfo.InvariantCulture)!;
            entries.Add($"{{ {CSharpText.Text(name)}, {value.Text} }}");
        }

        return new CodeText($"(dynamic)new Dictionary<string, object> {{ {string.Join(", ", entries)} }}", Tightness.Unary);
    }

    private static CodeText ArrayOf(List<CodeText> elements)
    {
        string text = elements.Count == 0 ? "new dynamic[] { }"
            : $"new{(elements.All(element => element.Text == "null") ? " dynamic" : "")}[] {{ {Listed(elements)} }}";
        return new CodeText(text, Kind: CodeKind.Sequence);
    }

    private CodeText Array(IEnumerable<Expression> elements) => ArrayOf([.. elements.Select(Write)]);

    // The default of a value type, which LINQ gives when there is no element.
    private CodeText? DefaultOf(Type type) =>
        type.IsValueType && Expressions.IsLeaf(type) && !Expressions.IsNullable(type)
            && CapturedValues.TryRead(Expression.Default(type), out object? value, out _)
            ? Literal(value, type) : null;

    private static bool IsOfSystem(Type type) => type.Namespace?.StartsWith("System", StringComparison.Ordinal) == true;

    private static string Constant(Enum constant) =>
        string.Join(" | ", constant.ToString().Split(", ").Select(name => $"{constant.GetType().Name}.{name}"));
}
