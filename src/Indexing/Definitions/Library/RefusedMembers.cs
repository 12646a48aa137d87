namespace Jackdaw.Indexing.Definitions.Library;

/// <summary>Members of the base library whose results do not follow from their arguments, with the reason and what to write instead.
/// docs/indexes.md has the same table.</summary>
internal static class RefusedMembers
{
    public const string Clock = "Entries must not depend on the time at which they are made. For documents that change " +
        "with time set @refresh, @expires or @archive-at in their metadata; compare with the time in the query.";

    public const string Hash = "Hash codes differ from one process to the next. Compare the values themselves.";

    public const string Reflection = "Reflection cannot be used. To look at a value's type, write 'value is string'.";

    private const string Zone = "Entries must not depend on the server's time zone. Dates with an offset are UTC already, so leave the call out.";

    private const string Random = "Entries must follow from the document alone: use its id instead of a new one.";

    private const string Order = "Entries must follow from the document alone. Sort with order by random() in the query.";

    private const string Enumerator = "An enumerator is state and no value. Use Select, or foreach in an additional source.";

    private const string Shared = "Texts are compared by their characters, so leave the call out.";

    private const string Serialization = "This member serves serializers. Use the elements themselves.";

    private const string Change = "A definition cannot change what a document has. Make a new sequence: Append, Concat, Where, Skip, Take, OrderBy.";

    private const string List = "System.Collections.Generic.List`1";

    private const string Dictionary = "System.Collections.Generic.Dictionary`2";

    /// <summary>The reason for members that change an object. Only members of documents do not have them: a method of an additional source can
    /// fill a list of its own.</summary>
    private const string Changing = "nothing: void";

    /// <summary>The members, by type.</summary>
    public static IReadOnlyList<RefusedMember> All { get; } =
    [
        .. Rows("System.DateTime", "get_Now,get_UtcNow,get_Today", "clock", Clock),
        .. Rows("System.DateTimeOffset", "get_Now,get_UtcNow", "clock", Clock),
        .. Rows("System.DateTime", "ToLocalTime,ToUniversalTime,IsDaylightSavingTime,ToFileTime,FromFileTime", "clock (time zone)", Zone),
        .. Rows("System.DateTimeOffset", "ToLocalTime,get_LocalDateTime,ToFileTime,FromFileTime", "clock (time zone)", Zone),
        .. Rows("System.Guid", "NewGuid,CreateVersion7", "randomness", Random),
        .. Rows("System.Linq.Enumerable", "Shuffle", "randomness", Order),
        .. Rows("System.String", "Intern,IsInterned", "reflection (tables of the process)", Shared),
        .. Rows("System.String", "GetEnumerator,EnumerateRunes", "ref (enumerators)", Enumerator),
        .. Rows(List, "GetEnumerator", "ref (enumerators)", Enumerator),
        .. Rows(Dictionary, "GetEnumerator,GetAlternateLookup", "ref (enumerators)", Enumerator),
        .. Rows(Dictionary, "GetObjectData,OnDeserialization", "reflection", Serialization),
        .. Rows(List, "Add,AddRange,Clear,CopyTo,ForEach,Insert,InsertRange,RemoveAt,RemoveRange,Sort,TrimExcess", Changing, Change),
        .. Rows(Dictionary, "Add,Clear,TrimExcess", Changing, Change),
        .. Rows("", "GetHashCode", "randomness", Hash),
        .. Rows("", "GetType", "reflection", Reflection),
    ];

    /// <summary>The refused members of a type, separated by commas.</summary>
    public static string Of(string type) =>
        string.Join(',', All.Where(row => (row.Type == type || row.Type.Length == 0) && row.Reason != Changing).Select(row => row.Member));

    /// <summary>The rows of the table in docs/indexes.md.</summary>
    public static IEnumerable<string> Table() => All.GroupBy(row => (row.Type, row.Reason, row.Instead)).Select(group =>
        $"| {Shown(group.Key.Type)} | {string.Join(", ", group.Select(row => $"`{row.Name}`"))} | {group.Key.Reason} | {group.Key.Instead} |");

    private static string Shown(string type) => type.Length == 0 ? "every type" : $"`{type[(type.LastIndexOf('.') + 1)..].Split('`')[0]}`";

    /// <summary>What to write instead of a member; null when definitions may use it.</summary>
    /// <param name="name">The type and the member, without "get_".</param>
    public static string? Instead(string name)
    {
        int dot = name.LastIndexOf('.');
        return dot < 0
            ? null
            : All.FirstOrDefault(row => (row.Type.Length == 0 || row.Type == name[..dot]) && row.Name == name[(dot + 1)..])?.Instead;
    }

    private static IEnumerable<RefusedMember> Rows(string type, string members, string reason, string instead) =>
        members.Split(',').Select(member => new RefusedMember(type, member, reason, instead));
}

/// <summary>A member that definitions must not use.</summary>
/// <param name="Type">Its type in metadata; empty for every type.</param>
/// <param name="Member">Its name in metadata.</param>
/// <param name="Reason">What it reads.</param>
/// <param name="Instead">What to write instead.</param>
internal sealed record RefusedMember(string Type, string Member, string Reason, string Instead)
{
    /// <summary>The name as users write it.</summary>
    public string Name => Member.Replace("get_", "", StringComparison.Ordinal);
}
