using System.Globalization;
using System.Text;

namespace Jackdaw.Client.Indexes.Translation;

/// <summary>Names and literals of C#.</summary>
internal static class CSharpText
{
    private static readonly HashSet<string> s_keywords =
    [
        .. ("abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum event explicit " +
            "extern false finally fixed float for foreach goto if implicit in int interface internal is lock long namespace new null object operator out " +
            "override params private protected public readonly ref return sbyte sealed short sizeof stackalloc static string struct switch this throw " +
            "true try typeof uint ulong unchecked unsafe ushort using virtual void volatile while").Split(' '),
    ];

    /// <summary>Members that the server's values have themselves: a property of a document with such a name is read by its text.</summary>
    private static readonly HashSet<string> s_ownMembers =
    [
        "GetType", "Equals", "GetHashCode", "ToString", "CompareTo", "TryFormat", "GetEnumerator", "Null", "Get", "ReadMember", "ReferenceEquals",
        "MemberwiseClone", "Finalize", "Jackdaw",
    ];

    /// <summary>Whether it can be the name of a member of an object that a definition makes.</summary>
    public static bool IsName(string name) => name.Length > 0 && (char.IsLetter(name[0]) || name[0] == '_')
        && name.All(c => char.IsLetterOrDigit(c) || c == '_') && !name.StartsWith("__", StringComparison.Ordinal) && name != "Jackdaw";

    public static string Name(string name) => s_keywords.Contains(name) ? "@" + name : name;

    /// <summary>The text after an object that reads one of its members.</summary>
    public static string Member(string name) => IsName(name) && !s_ownMembers.Contains(name) ? "." + Name(name) : $"[{Text(name)}]";

    public static string Text(string text)
    {
        var result = new StringBuilder(text.Length + 2).Append('"');
        foreach (char c in text)
        {
            result.Append(c == '"' ? "\\\"" : Escaped(c));
        }

        return result.Append('"').ToString();
    }

    public static string Character(char c) => c == '\'' ? "'\\''" : $"'{Escaped(c)}'";

    /// <summary>A number with the suffix of its type; null if it is not a number.</summary>
    public static string? Number(object value) => value switch
    {
        int or short or byte or sbyte or ushort => ((IFormattable)value).ToString(null, CultureInfo.InvariantCulture),
        long number => number.ToString(CultureInfo.InvariantCulture) + "L",
        uint number => number <= int.MaxValue ? number.ToString(CultureInfo.InvariantCulture) : number.ToString(CultureInfo.InvariantCulture) + "L",
        ulong number => number.ToString(CultureInfo.InvariantCulture) + (number <= long.MaxValue ? "L" : "m"),
        decimal number => number.ToString(CultureInfo.InvariantCulture) + "m",
        float number when float.IsFinite(number) => number.ToString("R", CultureInfo.InvariantCulture) + "f",
        double number when double.IsFinite(number) => WithPoint(number.ToString("R", CultureInfo.InvariantCulture)),
        double number => double.IsNaN(number) ? "double.NaN" : number > 0 ? "double.PositiveInfinity" : "double.NegativeInfinity",
        float number => Number((double)number),
        _ => null,
    };

    public static string Time(DateTime time)
    {
        // A time in this machine's zone is the same moment on the server only if it is written as UTC.
        DateTime known = time.Kind == DateTimeKind.Local ? time.ToUniversalTime() : time;
        string kind = known.Kind == DateTimeKind.Utc ? ", DateTimeKind.Utc" : "";
        string date = string.Create(CultureInfo.InvariantCulture, $"{known.Year}, {known.Month}, {known.Day}");
        return known.TimeOfDay == TimeSpan.Zero && kind.Length == 0 ? $"new DateTime({date})"
            : known.Ticks % TimeSpan.TicksPerSecond == 0
                ? string.Create(CultureInfo.InvariantCulture, $"new DateTime({date}, {known.Hour}, {known.Minute}, {known.Second}{kind})")
            : string.Create(CultureInfo.InvariantCulture, $"new DateTime({known.Ticks}L{kind})");
    }

    public static string Duration(TimeSpan length) => length.Ticks % TimeSpan.TicksPerSecond == 0
        ? string.Create(CultureInfo.InvariantCulture, $"new TimeSpan({length.Days}, {length.Hours}, {length.Minutes}, {length.Seconds})")
        : string.Create(CultureInfo.InvariantCulture, $"new TimeSpan({length.Ticks}L)");

    private static string WithPoint(string digits) => digits.AsSpan().IndexOfAny('.', 'E') >= 0 ? digits : digits + ".0";

    private static string Escaped(char c) => c switch
    {
        '\\' => "\\\\",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        _ when char.IsControl(c) || char.IsSurrogate(c) || c is '\u2028' or '\u2029' or '\u0085' or '\uFEFF' => $"\\u{(int)c:X4}",
        _ => c.ToString(),
    };
}
