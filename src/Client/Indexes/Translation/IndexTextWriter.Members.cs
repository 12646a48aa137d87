using System.Linq.Expressions;
using System.Reflection;
using System.Text.Json.Serialization;
using System.Text.RegularExpressions;
using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Indexes.Translation;

/// <summary>Members of documents and of values, and new objects.</summary>
internal sealed partial class IndexTextWriter
{
    private static readonly HashSet<string> s_partsOfDates =
        ["Year", "Month", "Day", "Hour", "Minute", "Second", "Millisecond", "Date", "Ticks", "DayOfWeek", "DayOfYear", "TimeOfDay"];

    private static readonly HashSet<string> s_partsOfDays = ["Year", "Month", "Day", "DayOfWeek", "DayOfYear"];

    private static readonly HashSet<string> s_partsOfDurations =
    [
        "TotalDays", "TotalHours", "TotalMinutes", "TotalSeconds", "TotalMilliseconds", "Days", "Hours", "Minutes", "Seconds", "Milliseconds", "Ticks",
    ];

    private CodeText Member(MemberExpression member)
    {
        string name = member.Member.Name;
        if (member.Member.GetCustomAttribute<IndexFunctionAttribute>() is not null)
        {
            return new CodeText(name);
        }

        if (member.Expression is not { } owner)
        {
            return Refuse(member, "Its value cannot be read here.", "Assign it to a variable first.");
        }

        Type type = owner.Type;
        if (Expressions.IsNullable(type))
        {
            return name == "Value" ? Write(owner) : new CodeText($"{Write(owner, Tightness.Equality)} != null", Tightness.Equality, CodeKind.Native);
        }

        if (Expressions.IsLeaf(type))
        {
            return OfLeaf(member, owner, type);
        }

        if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(KeyValuePair<,>))
        {
            return OfPair(owner, name, member.Type);
        }

        if (Expressions.IsSequence(type) && !IsGroup(type) && !typeof(GroupCollection).IsAssignableFrom(type))
        {
            return OfList(member, owner, name);
        }

        return _scope.IsDocument(owner) && _context.Names.IsIdentity(member.Member)
            ? new CodeText($"Id({Write(owner).Text})")
            : new CodeText(Write(owner, Tightness.Primary) + CSharpText.Member(NameIn(owner, member.Member)));
    }

    // Rows have the names of fields, objects of the definition their own, and documents those of the serializer.
    private string NameIn(Expression owner, MemberInfo member) =>
        _scope.Made(owner) is { } made ? NameOfMade(made, member)
            : IsAnonymous(member.DeclaringType!) || (IsOurs(member.DeclaringType!) && !IsRenamed(member)) ? PlainName(member.Name)
            : _isReduce && owner is ParameterExpression ? _context.FieldNameOf(member)
            : _context.NameOf(member);

    private string NameOfMade(Expression made, MemberInfo member) =>
        _rows.Contains(made) ? _context.FieldNameOf(member)
            : IsAnonymous(made.Type) ? PlainName(member.Name)
            : _context.NameOf(member);

    private static string PlainName(string name) => name.StartsWith('<') ? RowScope.Clean(name) : name;

    private static bool IsRenamed(MemberInfo member) => member.IsDefined(typeof(JsonPropertyNameAttribute), inherit: false);

    private static bool IsOurs(Type type) => IsOfSystem(type) || type.Assembly == typeof(IndexTextWriter).Assembly;

    private CodeText OfLeaf(MemberExpression member, Expression owner, Type type)
    {
        string name = member.Member.Name;
        CodeText value = Write(owner);
        if (type == typeof(string))
        {
            return new CodeText($"{value.As(Tightness.Primary)}.{name}", Kind: value.Kind == CodeKind.Text ? CodeKind.Native : CodeKind.Value);
        }

        if (type == typeof(DateTimeOffset))
        {
            return name switch
            {
                "UtcDateTime" => value,
                "UtcTicks" => new CodeText($"{value.As(Tightness.Primary)}.Ticks"),
                _ => Refuse(member, "The server stores the moment, not the offset.", "Read it of UtcDateTime."),
            };
        }

        bool isKnown = (type == typeof(DateTime) && s_partsOfDates.Contains(name)) || (type == typeof(DateOnly) && s_partsOfDays.Contains(name))
            || (type == typeof(TimeSpan) && s_partsOfDurations.Contains(name));
        if (isKnown)
        {
            // The day of the week of a .NET time is an enum; that of a value from a document is a text.
            return value.IsValue || name != "DayOfWeek"
                ? new CodeText($"{value.As(Tightness.Primary)}.{name}", Kind: value.IsValue ? CodeKind.Value : CodeKind.Native)
                : new CodeText($"((dynamic){value.As(Tightness.Unary)}).{name}");
        }

        return type == typeof(DateTime) || type == typeof(DateOnly) || type == typeof(TimeOnly) || type == typeof(TimeSpan)
            ? new CodeText($"{Native(owner, type).As(Tightness.Primary)}.{name}", Kind: CodeKind.Native)
            : Refuse(member, $"The server has no {type.Name}.{name}.", "Store what it gives in the document.");
    }

    // Keys of dictionaries are texts in documents.
    private CodeText OfPair(Expression owner, string name, Type type)
    {
        string text = $"{Write(owner, Tightness.Primary)}.{name}";
        return name == "Key" && (Expressions.IsWhole(type) || Expressions.IsFraction(type))
            ? new CodeText($"({TypeName(type)}){text}", Tightness.Unary, CodeKind.Native)
            : new CodeText(text);
    }

    private CodeText OfList(MemberExpression member, Expression owner, string name)
    {
        string list = Write(owner, Tightness.Primary);
        switch (name)
        {
            case "Count" or "Length":
                return new CodeText(list + ".Count()", Kind: CodeKind.Native);
            case "Keys" or "Values" when owner.Type.IsGenericType:
                string pair = _scope.Free("pair");
                bool isNumber = name == "Keys" && Expressions.IsWhole(owner.Type.GetGenericArguments()[0]);
                string cast = isNumber ? $"({TypeName(owner.Type.GetGenericArguments()[0])})" : "";
                return new CodeText($"{list}.Select({pair} => {cast}{pair}.{name[..^1]})", Kind: CodeKind.Sequence);
            default:
                return Refuse(member, $"Documents hold the elements of a {owner.Type.Name} only.", "Use operators of LINQ.");
        }
    }

    /// <summary>A new object, of an anonymous type or of one of the program: both become anonymous.</summary>
    private CodeText Made(Expression made)
    {
        if (made is NewExpression { Constructor: { } constructor } of && IsSystemValue(of.Type))
        {
            return new CodeText(
                $"new {TypeName(of.Type)}({Natives(of.Arguments, constructor)})",
                Kind: of.Type == typeof(string) ? CodeKind.Text : CodeKind.Native);
        }

        if (made is NewExpression { Arguments: [var source] } copy && Expressions.IsSequence(copy.Type) && Expressions.IsSequence(source.Type))
        {
            CodeText list = Write(source);
            return copy.Type.Name.Contains("HashSet", StringComparison.Ordinal) || copy.Type.Name.Contains("SortedSet", StringComparison.Ordinal)
                ? new CodeText(list.As(Tightness.Primary) + ".Distinct()", Kind: CodeKind.Sequence)
                : list;
        }

        if (RowScope.MembersOf(made) is not { } members || members.Count == 0)
        {
            return Refuse(made, $"The server cannot call the constructor of {made.Type.Name}.", "Set properties: new T { A = ... }, or new { A = ... }.");
        }

        List<(string Name, CodeText Value)> written = [.. members.Select(member => (NameOfMade(made, member.Member), Write(member.Value)))];
        if (written.All(member => CSharpText.IsName(member.Name)))
        {
            return new CodeText(
                $"new {{ {string.Join(", ", written.Select(member => $"{CSharpText.Name(member.Name)} = {member.Value.Text}"))} }}", Kind: CodeKind.Object);
        }

        string entries = string.Join(", ", written.Select(member => $"{{ {CSharpText.Text(member.Name)}, {member.Value.Text} }}"));
        string dictionary = $"new Dictionary<string, object> {{ {entries} }}";
        return _rows.Contains(made) ? new CodeText(dictionary, Kind: CodeKind.Object) : new CodeText("(dynamic)" + dictionary, Tightness.Unary);
    }

    private CodeText List(ListInitExpression list)
    {
        if (list.Initializers.All(element => element.Arguments.Count == 1))
        {
            return Array([.. list.Initializers.Select(element => element.Arguments[0])]);
        }

        string entries = string.Join(
            ", ", list.Initializers.Select(entry => $"{{ {Native(entry.Arguments[0], typeof(string)).Text}, {Write(entry.Arguments[^1]).Text} }}"));
        string dictionary = $"new Dictionary<string, object> {{ {entries} }}";
        return _rows.Contains(list) ? new CodeText(dictionary, Kind: CodeKind.Object) : new CodeText("(dynamic)" + dictionary, Tightness.Unary);
    }

    private static bool IsSystemValue(Type type) => type == typeof(DateTime) || type == typeof(DateTimeOffset) || type == typeof(TimeSpan)
        || type == typeof(DateOnly) || type == typeof(TimeOnly) || type == typeof(string);
}
