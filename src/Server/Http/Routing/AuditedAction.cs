using System.Diagnostics;
using Jackdaw.Security.Auditing;

namespace Jackdaw.Server.Http.Routing;

/// <summary>The two lines of the audit log about one request that changes something.</summary>
/// <param name="line">What both lines have in common.</param>
/// <param name="isDurable">Whether the first line is on the disk before the change begins.</param>
internal sealed class AuditedAction(AuditLog log, AuditRecord line, bool isDurable)
{
    private readonly List<KeyValuePair<string, string>> _details = [];

    public bool HasBegun { get; private set; }

    /// <summary>Adds what the route does not say. Never a secret, a script or a parameter of a query.</summary>
    public void Describe(string name, string value) => _details.Add(new(name, value));

    /// <summary>Writes the first line. Nothing is changed before.</summary>
    /// <param name="details">As for <see cref="Describe"/>.</param>
    /// <exception cref="AuditUnavailableException">It could not be written.</exception>
    public void Begin(params ReadOnlySpan<KeyValuePair<string, string>> details)
    {
        Debug.Assert(!HasBegun);
        _details.AddRange(details);
        log.Begin(line with { Outcome = AuditOutcomes.Begun, Details = _details.ToArray() }, isDurable);
        HasBegun = true;
    }

    /// <summary>Writes the second line.</summary>
    /// <param name="status">Status of the answer.</param>
    public void End(int status)
    {
        bool isDone = status < StatusCodes.Status400BadRequest;
        log.Write(line with { Outcome = isDone ? AuditOutcomes.Done : AuditOutcomes.Failed, Status = status, Details = _details });
    }
}
