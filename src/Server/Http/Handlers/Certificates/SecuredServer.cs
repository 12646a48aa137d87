using Jackdaw.Security;
using Jackdaw.Security.Callers;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Certificates;

/// <summary>What requests about certificates need: a server that has some.</summary>
internal static class SecuredServer
{
    /// <exception cref="RequestRefusedException">The server listens on http.</exception>
    public static ServerSecurity Of(RequestContext context) => context.Server.Security ?? throw new RequestRefusedException(new Problem(
        400, ProblemTypes.InvalidOperation,
        "This server has no certificates, because it listens on http, where everybody may do everything. Start it with ServerUrl=https://..."));

    /// <summary>The refusal of a thumbprint that is not in the list.</summary>
    public static RequestRefusedException Unknown(string thumbprint) => new(Problem.Argument(
        $"There is no certificate with the thumbprint '{RefusalWords.Shorten(thumbprint)}' in the list; GET /admin/certificates shows those that there are."));
}
