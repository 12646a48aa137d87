namespace Jackdaw.Server.Http.Routing;

/// <summary>How a method of a route can be used. Every registration says it: what has none of the traits says None.</summary>
[Flags]
internal enum RouteTraits
{
    /// <summary>It comes alone and is answered as a whole, when the storages are open.</summary>
    None = 0,

    /// <summary>It may be part of a multi_get: it changes nothing and its answer is JSON.</summary>
    InMultiGet = 1,

    /// <summary>Its answer has no known end when it begins: it is sent while it is made, or lasts as long as the connection.</summary>
    Streams = 2,

    /// <summary>It is answered before the storages are open.</summary>
    WhileStarting = 4,
}
