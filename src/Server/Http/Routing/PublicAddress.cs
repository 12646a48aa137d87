using System.Net;
using Jackdaw.Security.Keys;
using Microsoft.AspNetCore.Http.Features;

namespace Jackdaw.Server.Http.Routing;

/// <summary>The address of the server as its clients reach it.</summary>
internal static class PublicAddress
{
    private const int DefaultHttpsPort = 443;

    /// <summary>The address that the client will use from now on: the configured one, or that of its request. It has no slash at the end.</summary>
    public static string Of(RequestContext context)
    {
        if (context.Server.Options.PublicServerUrl is { } configured)
        {
            return configured.ToString().TrimEnd('/');
        }

        if (!context.Request.Host.HasValue)
        {
            return context.Server.Options.ServerUrl.ToString();
        }

        return context.Server.Security is { } security
            ? SecuredUrl(context, security.Keys)
            : $"{context.Request.Scheme}://{context.Request.Host.Value}";
    }

    // A client that checks names cannot use an address that the certificate does not have, so that its host is not given back unseen.
    private static string SecuredUrl(RequestContext context, ServerKeys keys)
    {
        HostString asked = context.Request.Host;
        string plain = asked.Host.Trim('[', ']');
        IPAddress? local = context.Features.Get<IHttpConnectionFeature>()?.LocalIpAddress;
        string? reached = (local is { IsIPv4MappedToIPv6: true } ? local.MapToIPv4() : local)?.ToString();
        string host = keys.FindCoveredHost(plain, reached) ?? plain;
        return (context.Server.Options.ServerUrl with { Host = host, Port = asked.Port ?? DefaultHttpsPort }).ToString();
    }
}
