using Jackdaw.Server.Http.Problems;

namespace Jackdaw.Server.Http.Routing;

/// <summary>Serves one request. Throws <see cref="RequestRefusedException"/> for input that cannot be served.</summary>
internal delegate ValueTask RequestHandler(RequestContext context);
