namespace Jackdaw.Json.Refusals;

/// <summary>Something is refused, and nothing of it was done. The fault is the caller's, or lies in a state that the message explains: it is not
/// a bug of the server.</summary>
public class RefusedException : Exception
{
    private readonly Refusal _refusal;

    /// <summary>Creates the exception.</summary>
    public RefusedException(Refusal refusal, Exception? inner = null)
        : base(refusal.Message, inner) => _refusal = refusal;

    /// <summary>Creates the exception of a refusal without facts.</summary>
    public RefusedException(RefusalKind kind, string message, Exception? inner = null)
        : this(new Refusal(kind, message), inner)
    {
    }

    /// <summary>The refusal, with facts that a derived class adds.</summary>
    public Refusal Refusal => _refusal with { Facts = [.. _refusal.Facts, .. Facts] };

    /// <summary>Facts that a derived class knows.</summary>
    protected virtual IReadOnlyList<RefusalFact> Facts => [];
}
