using Jackdaw.Documents.Callers;
using Jackdaw.Security.Callers;

namespace Jackdaw.Security.Sessions;

/// <summary>The caller behind the session of a browser. It looks at the session each time that it is asked, so that whoever holds it learns of its
/// end.</summary>
internal sealed class SessionCaller(BrowserSession session) : Caller
{
    public BrowserSession Session => session;

    public override string Name => $"session {session.Mark} of certificate '{session.Grant.GranterName}' (thumbprint {session.Grant.GranterThumbprint})";

    public override bool May(Access access, ReadOnlySpan<char> database) =>
        access == Access.Anonymous || (session.IsAlive && session.Grant.Grants.Include(access, database));

    public override Caller OfBackgroundWork => new SessionGrantCaller(session.Grant, Name);

    protected override string Refuse(Access access, string database) => session.IsAlive
        ? $"which {Name} with the clearance {session.Grant.Grants.Clearance} does not have. "
            + $"A cluster administrator makes a link that gives it with: jackdaw login-link {Options(access, database)}"
        : EndedSessionCaller.Words;

    private static string Options(Access access, string database) => access switch
    {
        Access.ClusterAdmin or Access.Node => "--clearance=ClusterAdmin",
        Access.Read or Access.ReadWrite or Access.Admin when database.Length > 0 => RefusalWords.DatabaseArgument(database),
        _ => "--clearance=Operator",
    };
}

/// <summary>The caller behind a session that is over or was never one. May only do what everybody may.</summary>
internal sealed class EndedSessionCaller : Caller
{
    internal const string Words =
        "and the session of this browser has ended: after twelve hours, after an hour without a request, because somebody logged out, because the server was "
        + "restarted, or because the certificate that gave it was changed. Get a new link with: jackdaw login-link";

    private EndedSessionCaller()
    {
    }

    public static EndedSessionCaller Instance { get; } = new();

    public override string Name => "a browser whose session has ended";

    public override bool May(Access access, ReadOnlySpan<char> database) => access == Access.Anonymous;

    protected override string Refuse(Access access, string database) => Words;
}
