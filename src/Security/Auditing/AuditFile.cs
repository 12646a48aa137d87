using System.Globalization;

namespace Jackdaw.Security.Auditing;

/// <summary>The name of a file of the log: its day, and its part when the day needs several.</summary>
/// <remarks><c>audit-2026-11-27.jsonl</c>, then <c>audit-2026-11-27-2.jsonl</c>.</remarks>
/// <param name="Part">Counted from 1.</param>
internal readonly record struct AuditFile(DateOnly Day, int Part) : IComparable<AuditFile>
{
    private const string Beginning = "audit-";
    private const string Ending = ".jsonl";
    private const string DayFormat = "yyyy-MM-dd";

    public string Name => Part == 1
        ? string.Create(CultureInfo.InvariantCulture, $"{Beginning}{Day:yyyy-MM-dd}{Ending}")
        : string.Create(CultureInfo.InvariantCulture, $"{Beginning}{Day:yyyy-MM-dd}-{Part}{Ending}");

    /// <summary>Reads a name.</summary>
    /// <returns>Null when it is not the name of a file of the log.</returns>
    public static AuditFile? TryParse(ReadOnlySpan<char> name)
    {
        if (!name.StartsWith(Beginning, StringComparison.Ordinal) || !name.EndsWith(Ending, StringComparison.Ordinal))
        {
            return null;
        }

        ReadOnlySpan<char> inner = name[Beginning.Length..^Ending.Length];
        int part = 1;
        DateOnly day = default;
        bool isName = inner.Length >= DayFormat.Length
            && (inner.Length == DayFormat.Length
                || (inner[DayFormat.Length] == '-'
                    && int.TryParse(inner[(DayFormat.Length + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out part) && part > 1))
            && DateOnly.TryParseExact(inner[..DayFormat.Length], DayFormat, CultureInfo.InvariantCulture, DateTimeStyles.None, out day);
        return isName ? new AuditFile(day, part) : null;
    }

    /// <summary>The files of a folder, oldest first. A folder that does not exist has none.</summary>
    public static List<AuditFile> List(string folder)
    {
        List<AuditFile> files = [];
        if (Directory.Exists(folder))
        {
            foreach (string path in Directory.EnumerateFiles(folder))
            {
                if (TryParse(Path.GetFileName(path.AsSpan())) is { } file)
                {
                    files.Add(file);
                }
            }
        }

        files.Sort();
        return files;
    }

    public int CompareTo(AuditFile other) => Day == other.Day ? Part.CompareTo(other.Part) : Day.CompareTo(other.Day);
}
