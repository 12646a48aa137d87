namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Says what to use instead of something that is refused.</summary>
internal static class RefusalTexts
{
    private static readonly (string Prefix, string Instead)[] s_texts =
    [
        ("System.DateTime.Parse", "A parse that depends on today or the time zone is not allowed: store dates as " +
            "yyyy-MM-ddTHH:mm:ss, which are dates without parsing."),
        ("System.DateTime.TryParse", "Use DateTime.TryParse(text, out date), which ignores culture and time zone."),
        ("System.DateTime.To", "Entries must not depend on the server's time zone. Dates with an offset are UTC already."),
        ("System.DateTimeOffset.To", "Entries must not depend on the server's time zone. Use UtcDateTime."),
        ("System.DateTimeOffset.get_Local", "Entries must not depend on the server's time zone. Use UtcDateTime."),
        ("System.DateTime.", Clock), ("System.DateTimeOffset.", Clock), ("System.TimeProvider", Clock),
        ("System.Diagnostics.Stopwatch", Clock), ("System.Environment.TickCount", Clock),
        ("System.Guid.", "Entries must follow from the document alone: use its id instead of a new one."),
        ("System.Random", "Entries must follow from the document alone: nothing random. Sort with order by random() " +
            "in the query."),
        ("System.HashCode", Hash), ("System.String.GetHashCode", Hash), ("System.Object.GetHashCode", Hash),
        ("System.IO.", "Files cannot be read: store the content in a document and use LoadDocument."),
        ("System.Net.", "The network cannot be reached: store the content in a document and use LoadDocument."),
        ("System.Diagnostics.Process", "Processes cannot be started."),
        ("System.Threading.", "Threads and tasks cannot be used: an index runs on a thread of its own."),
        ("System.Reflection.", Reflection), ("System.Type", Reflection), ("System.Activator", Reflection),
        ("System.Object.GetType", Reflection + " To look at a value's type, write 'value is string'."),
        ("System.AppDomain", Reflection), ("System.Runtime.", "Unsafe and native code cannot be used."),
        ("System.Environment", "The server's environment cannot be read: store settings in a document."),
        ("System.Console", "There is no console. Errors of a document are in the index's errors."),
        ("System.Tuple", "Use a value tuple, (a, b), or a class."),
    ];

    private const string Clock = "Entries must not depend on the time at which they are made. For documents that change " +
        "with time set @refresh, @expires or @archive-at in their metadata; compare with the time in the query.";

    private const string Hash = "Hash codes differ from one process to the next. Compare the values themselves.";

    private const string Reflection = "Reflection cannot be used.";

    /// <summary>The message for a name that is refused.</summary>
    /// <param name="name">A type, or a type and a member.</param>
    public static string Of(string name)
    {
        string instead = s_texts.FirstOrDefault(text => name.StartsWith(text.Prefix, StringComparison.Ordinal)).Instead
            ?? "It is not among the types and members that index definitions can use.";
        return $"{name} is not allowed in an index definition. {instead}";
    }
}
