using System.Diagnostics;
using System.Globalization;
using Jackdaw.Documents.Operations;
using Jackdaw.Security.Auditing;
using Jackdaw.Server.Http.Problems;

namespace Jackdaw.Server.Http.Routing;

/// <summary>The two lines of the audit log about one request that changes something.</summary>
/// <param name="line">What both lines have in common.</param>
/// <param name="isDurable">Whether the first line is on the disk before the change begins.</param>
internal sealed class AuditedAction(AuditLog log, AuditRecord line, bool isDurable)
{
    private readonly List<KeyValuePair<string, string>> _details = [];
    private volatile bool _endsLater;

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

    /// <summary>Says that the action goes on after its request, which then writes no second line.</summary>
    public void EndLater() => _endsLater = true;

    /// <summary>Writes the second line of an action that went on after its request.</summary>
    /// <param name="operation">The number of the operation, as clients know it.</param>
    /// <param name="failure">Why it failed; null when it did not.</param>
    public void EndOperation(long operation, OperationStatus status, Exception? failure)
    {
        Describe("operation", operation.ToString(CultureInfo.InvariantCulture));
        if (status == OperationStatus.Canceled)
        {
            Describe("ended", "somebody killed it");
        }

        WriteEnd(status switch
        {
            OperationStatus.Completed => StatusCodes.Status200OK,
            OperationStatus.Canceled => StatusCodes.Status499ClientClosedRequest,
            _ => failure is null ? StatusCodes.Status500InternalServerError : ProblemMapping.ToProblem(failure).Status,
        });
    }

    /// <summary>Writes the second line, unless the action goes on.</summary>
    /// <param name="status">Status of the answer.</param>
    public void End(int status)
    {
        if (!_endsLater)
        {
            WriteEnd(status);
        }
    }

    private void WriteEnd(int status)
    {
        bool isDone = status < StatusCodes.Status400BadRequest;
        log.Write(line with { Outcome = isDone ? AuditOutcomes.Done : AuditOutcomes.Failed, Status = status, Details = _details });
    }
}
