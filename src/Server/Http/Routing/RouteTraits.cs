namespace Jackdaw.Server.Http.Routing;

/// <summary>How a method of a route can be used. Every registration names its traits, even if it has none.</summary>
[Flags]
internal enum RouteTraits
{
    /// <summary>The request comes alone and is answered as a whole, when the storages are open.</summary>
    None = 0,

    /// <summary>The request may be part of a multi_get: it changes nothing, and its answer is JSON.</summary>
    InMultiGet = 1,

    /// <summary>The answer has no known end when it begins: it is sent while it is made, or lasts as long as the connection.</summary>
    Streams = 2,

    /// <summary>The request is answered even before the storages are open.</summary>
    WhileStarting = 4,

    /// <summary>The request is recorded in the audit log, before its handler runs and when it ends. Without the first line it is refused.</summary>
    Audited = 8,

    /// <summary>The request is recorded, and its handler writes the first line, because the body says what changes:
    /// <see cref="AuditedAction.Begin"/>.</summary>
    AuditedWithDetails = 16,
}
