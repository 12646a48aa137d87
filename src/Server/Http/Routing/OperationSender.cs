using Jackdaw.Documents.Callers;

namespace Jackdaw.Server.Http.Routing;

/// <summary>Who began an operation, and the access that it needs as long as it runs.</summary>
/// <param name="Database">Empty for an operation of the whole server.</param>
/// <param name="Subject">What began it, for messages.</param>
internal sealed record OperationSender(Caller Caller, Access Access, string Database, string Subject)
{
    /// <summary>The refusal that ends the operation; null as long as its sender has the access.</summary>
    public AccessDeniedException? FindLoss()
    {
        try
        {
            Caller.Demand(Access, Database, Subject);
            return null;
        }
        catch (AccessDeniedException loss)
        {
            return loss;
        }
    }
}
