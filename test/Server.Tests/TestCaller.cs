using Jackdaw.Documents.Callers;

namespace Jackdaw.Server.Tests;

/// <summary>A caller who may do what a rule says; the rule may change between requests.</summary>
internal sealed class TestCaller : Caller
{
    public override string Name => "the caller of the test";

    /// <summary>Gets an access and the name of a database, empty for the server.</summary>
    public Func<Access, string, bool> Rule { get; set; } = static (_, _) => true;

    /// <summary>May do everything.</summary>
    public void GrantAll() => Rule = static (_, _) => true;

    /// <summary>Has an access: to one database, or to all.</summary>
    public void Grant(Access granted, string? database = null) => Rule = (access, asked) =>
        access <= (IsElsewhere(granted, database, asked) ? Access.ValidUser : granted);

    /// <summary>Is asked a number of times and may; afterwards the caller may do nothing.</summary>
    public void GrantTimes(int times) => Rule = (_, _) => times-- > 0;

    public override bool May(Access access, ReadOnlySpan<char> database) => Rule(access, database.ToString());

    private static bool IsElsewhere(Access granted, string? database, string asked) =>
        database is not null && granted is Access.Read or Access.ReadWrite or Access.Admin
        && !asked.Equals(database, StringComparison.OrdinalIgnoreCase);
}
