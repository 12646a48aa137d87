using System.Net;

namespace Jackdaw.Security.Auditing;

/// <summary>One line of the audit log. Never holds a secret: no passwords, keys, session ids, parameters of queries or scripts.</summary>
internal readonly record struct AuditRecord
{
    /// <summary>What it is about, in one word; see <see cref="AuditKinds"/>.</summary>
    public required string Kind { get; init; }

    /// <summary>How it went, in one word; see <see cref="AuditOutcomes"/>.</summary>
    public required string Outcome { get; init; }

    public required AuditSender Sender { get; init; }

    /// <summary>Method and template of the route, such as "PUT /admin/databases"; null where there is none.</summary>
    public string? Route { get; init; }

    /// <summary>The name of the database; null for the whole server.</summary>
    public string? Database { get; init; }

    /// <summary>Status of the answer; 0 before it is known.</summary>
    public int Status { get; init; }

    /// <summary>The number that both lines of one action have, until the server stops; 0 for an action of one line.</summary>
    public long Action { get; init; }

    /// <summary>How many of such requests the line stands for; 0 for one.</summary>
    public long Count { get; init; }

    /// <summary>What more is known, by name.</summary>
    public IReadOnlyList<KeyValuePair<string, string>>? Details { get; init; }
}

/// <summary>Who sent a request, as the audit log names them.</summary>
/// <param name="Name">Name of the caller in messages.</param>
/// <param name="Thumbprint">Of the certificate; null without one.</param>
/// <param name="Session">The public mark of the session, from which its id cannot be found; null without one.</param>
/// <param name="Address">The address from which the request came; null inside of a process.</param>
internal readonly record struct AuditSender(string Name, string? Thumbprint, string? Session, string? Address)
{
    /// <summary>The text of an address; one of IPv4 is written as such, although the socket may show it as one of IPv6.</summary>
    public static string? Show(IPAddress? address) => (address?.IsIPv4MappedToIPv6 == true ? address.MapToIPv4() : address)?.ToString();
}

/// <summary>What lines are about.</summary>
internal static class AuditKinds
{
    public const string Refusal = "refusal";
    public const string Certificate = "certificate";
    public const string Session = "session";
    public const string Database = "database";
    public const string Index = "index";
    public const string Setting = "setting";
    public const string ChangeByQuery = "change-by-query";

    public static IReadOnlyList<string> All { get; } = [Refusal, Certificate, Session, Database, Index, Setting, ChangeByQuery];
}

/// <summary>How actions went.</summary>
internal static class AuditOutcomes
{
    /// <summary>Allowed and begun: the line is on the disk before anything changes. A second line of the same action says how it ended.</summary>
    public const string Begun = "begun";

    public const string Done = "done";

    /// <summary>The status says why; nothing more is written, because messages may repeat what was sent.</summary>
    public const string Failed = "failed";

    public const string Refused = "refused";

    public static IReadOnlyList<string> All { get; } = [Begun, Done, Failed, Refused];
}
