namespace Jackdaw.Client.Linq.Translation;

/// <summary>Why something is not translated, and what to write instead.</summary>
internal sealed class Refusal(string reason, string hint)
{
    public string Reason => reason;

    public string Hint => hint;
}

/// <summary>Which operators and methods have a counterpart in RQL, by their names, and the messages for those that have none.</summary>
/// <remarks>This is the only such table. The translator reads it at run time, and the package's analyzer, which is also built from this file, at
/// compile time. So it must use nothing of the client, and nothing newer than .NET Standard 2.0.</remarks>
internal static class Translatable
{
    private static readonly HashSet<string> s_operators = new(StringComparer.Ordinal)
    {
        "Where", "OrderBy", "OrderByDescending", "ThenBy", "ThenByDescending", "Skip", "Take", "Select", "Distinct", "GroupBy", "Cast", "OfType",
        "First", "FirstOrDefault", "Single", "SingleOrDefault", "Any", "All", "Count", "LongCount", "Min", "Max", "Sum", "Average",
    };

    private static readonly HashSet<string> s_casing = new(StringComparer.Ordinal) { "ToLower", "ToUpper", "ToLowerInvariant", "ToUpperInvariant" };

    public static Refusal Computed { get; } =
        new("A condition compares a field as it is stored.", "Compute the value in an index and query its field.");

    public static Refusal ComputedOrder { get; } =
        new("Rows are ordered by fields as they are stored.", "Compute the value in an index and order by its field.");

    public static Refusal Vector { get; } = new(
        "A vector is a field as it is stored.", "Name the field of the documents or of the index that has the vectors.");

    public static Refusal EnumOrder { get; } = new(
        "The enum is stored as texts, which have another order than its values.",
        "Order in the program, after ToListAsync(), or store its numbers: [JsonConverter(typeof(JsonNumberEnumConverter<...>))] on the enum, or " +
        "Conventions.SaveEnumsAsIntegers.");

    public static Refusal ManyFlags { get; } = new(
        "The enum is stored as the names of its flags, and has more combinations of them than a query can list.",
        "Compare it with == or In(...), or store its numbers.");

    public static Refusal Casing { get; } = new(
        Computed.Reason, "Leave the call out: texts are compared without casing (with casing: Where(..., exact: true)).");

    public static Refusal Counted { get; } = new(
        "How many entries a map has, or how many elements of a list meet a condition, is not a field.",
        "Index the count as a field and query it; 'none or some' is list.Any(...).");

    public static Refusal Entries { get; } = new(
        "The entries of a dictionary are members of an object in documents, not elements of a list.",
        "Ask for one key, x.Map[\"key\"] == value or x.Map.ContainsKey(\"key\"), or store a list of pairs.");

    public static Refusal OtherOrder { get; } = new(
        "It is stored as a text, whose order is not that of the values.", "Store a number beside it, and compare or order by that.");

    public static Refusal Duration { get; } = new(
        "The index has the duration as a text, whose order is not that of durations.",
        "Index its length, Seconds = x.Duration.TotalSeconds, and use this field.");

    public static Refusal Groups { get; } = new(
        "The server has keys, counts and sums of groups, not their elements.",
        "Select what is wanted: Select(g => new { g.Key, Count = g.Count() }).");

    public static Refusal OfGroup { get; } = new(
        "It has no counterpart in a projection on the server.", "Groups have keys, counts and sums; for more define a map-reduce index.");

    public static Refusal Key { get; } = new(
        "A key is a field of the documents.",
        "Group by fields: x => x.Field or x => new { x.A, x.B }. Sums of all documents come from AggregateBy.");

    public static Refusal CountOfDistinct { get; } = new(
        "The server counts rows before it compares them.", "Count groups: GroupBy(x => x.Field).Count().");

    public static Refusal Projected { get; } = new(
        "It has no counterpart in a projection on the server.", "Select the fields and compute it in the program.");

    public static Refusal TwoFields { get; } = new(
        "It compares two fields, and an index finds fields by values.",
        "Index the comparison as a field of its own, or use Filter(...), which reads each document.");

    public static Refusal EachElement { get; } = new(
        "An index of its own does not know which values belong to one element.",
        "Use Filter(x => x.List.Any(...)), which reads the documents, or index the elements one by one.");

    public static Refusal NestedElements { get; } = new(
        "Conditions on lists within lists within lists are not checked by the server.", "Index the innermost elements as fields of their own.");

    public static Refusal Comparer { get; } = new("A comparer is not known to the server.", "Leave it out: texts are compared without casing.");

    public static Refusal Pattern { get; } = new(
        "Only Regex.IsMatch(x.Field, pattern) is asked of the server.", "Write options into the pattern, such as (?i).");

    public static Refusal Position { get; } = new("A condition does not know the position of a row.", "Use Skip and Take.");

    public static Refusal Paged { get; } = new("It comes after Skip or Take, which the server applies last.", "Put Skip and Take after it.");

    /// <summary>Whether an operator of LINQ has a counterpart, in one of its forms at least.</summary>
    public static bool IsOperator(string method) => s_operators.Contains(method);

    /// <summary>Why a method of <c>Enumerable</c> is not a condition; null if it can be one on a list of the document.</summary>
    public static Refusal? SequenceCall(string method) => method switch
    {
        "Any" or "All" or "Contains" => null,
        _ => Computed,
    };

    /// <summary>Whether a call on a group is one that the server computes.</summary>
    public static bool IsOfGroups(string method) => method is "Count" or "LongCount" or "Sum" or "Average";

    /// <summary>Whether a member of a text or a list says how long it is.</summary>
    public static bool IsLength(string member) => member is "Count" or "Length";

    /// <summary>Whether a member of a date, a time or a duration is one that the server computes.</summary>
    /// <param name="type">Name of the type.</param>
    public static bool IsPartOf(string type, string member) => type switch
    {
        "DateTime" => member is "Year" or "Month" or "Day" or "DayOfYear" or "Hour" or "Minute" or "Second" or "Millisecond",
        "DateOnly" => member is "Year" or "Month" or "Day" or "DayOfYear",
        "TimeOnly" => member is "Hour" or "Minute" or "Second" or "Millisecond",
        "TimeSpan" => member is "Days" or "Hours" or "Minutes" or "Seconds" or "TotalDays" or "TotalHours" or "TotalMinutes" or "TotalSeconds",
        _ => false,
    };

    /// <summary>Whether the comparison of a count with 0 or 1 asks for some elements, or for none; null if it asks for a number of them.</summary>
    public static bool? AsksForSome(string sign, object? number) => (sign, number) switch
    {
        (">" or "!=", 0 or 0L) or (">=", 1 or 1L) => true,
        ("=" or "<=", 0 or 0L) or ("<", 1 or 1L) => false,
        _ => null,
    };

    /// <summary>Why a method that is not one of texts, patterns and lists is not a condition; null if it can be one.</summary>
    public static Refusal? Call(string method) => method is "Contains" or "ContainsKey" or "Equals" or "get_Item" or "HasFlag" ? null : Computed;

    /// <summary>Whether a method changes the casing of a text.</summary>
    public static bool IsCasing(string method) => s_casing.Contains(method);

    /// <summary>Why an operator of LINQ has no counterpart.</summary>
    public static Refusal Operator(string method) => new("It has no counterpart in RQL.", method switch
    {
        "Last" or "LastOrDefault" => "Reverse the order and take the first.",
        "Join" or "GroupJoin" => "Load the other document in the projection: let c = DocQuery.Load<T>(x.OtherId).",
        "Union" or "Concat" or "Except" or "Intersect" or "Zip" => "Ask with || or && in one Where, or combine the results in the program.",
        "SelectMany" => "Select the list, x => x.List, or define an index with an entry for each element.",
        "Reverse" => "Use OrderByDescending.",
        _ => "Do this in the program, after ToListAsync().",
    });
}
