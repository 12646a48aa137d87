namespace Jackdaw.Indexing.Definitions.Library;

/// <summary>Says what to use instead of something that is refused.</summary>
internal static class RefusalTexts
{
    private static readonly (string Prefix, string Instead)[] s_texts =
    [
        ("System.DateTime.Parse", "A parse that depends on today or the time zone is not allowed: store dates as " +
            "yyyy-MM-ddTHH:mm:ss, which are dates without parsing."),
        ("System.DateTime.TryParse", "Use DateTime.TryParse(text, out date), which ignores culture and time zone."),
        ("System.Collections.Generic.", "Leave the capacity out: lists and dictionaries grow as they need."),
        ("System.Text.StringBuilder with", "Leave the capacity out: the builder grows as it needs."),
        ("System.TimeProvider", RefusedMembers.Clock), ("System.Diagnostics.Stopwatch", RefusedMembers.Clock),
        ("System.Environment.TickCount", RefusedMembers.Clock),
        ("System.Random", "Entries must follow from the document alone: nothing random. Sort with order by random() " +
            "in the query."),
        ("System.HashCode", RefusedMembers.Hash),
        ("System.IO.", "Files cannot be read: store the content in a document and use LoadDocument."),
        ("System.Net.", "The network cannot be reached: store the content in a document and use LoadDocument."),
        ("System.Diagnostics.Process", "Processes cannot be started."),
        ("System.Threading.", "Threads and tasks cannot be used: an index runs on a thread of its own."),
        ("System.Reflection.", RefusedMembers.Reflection), ("System.Type", RefusedMembers.Reflection),
        ("System.Activator", RefusedMembers.Reflection), ("System.AppDomain", RefusedMembers.Reflection),
        ("System.Runtime.", "Unsafe and native code cannot be used."),
        ("System.Environment", "The server's environment cannot be read: store settings in a document."),
        ("System.Console", "There is no console. Errors of a document are in the index's errors."),
        ("System.Tuple", "Use a value tuple, (a, b), or a class."),
    ];

    /// <summary>The message for a name that is refused.</summary>
    /// <param name="name">A type, or a type and a member.</param>
    public static string Of(string name)
    {
        string instead = RefusedMembers.Instead(name) ?? s_texts.FirstOrDefault(text => name.StartsWith(text.Prefix, StringComparison.Ordinal)).Instead
            ?? "It is not among the types and members that index definitions can use.";
        return $"{name} is not allowed in an index definition. {instead}";
    }
}
