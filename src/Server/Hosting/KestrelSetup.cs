using System.Net;
using System.Net.Sockets;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Http.Limits;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace Jackdaw.Server.Hosting;

/// <summary>Kestrel and its options: one address, HTTP/1.1 only, the limits of <see cref="HttpLimits"/>.</summary>
/// <remarks>
/// Its own services make it, because only they give it the pool of pinned blocks; nothing else of them is used. A transport that is made by hand takes blocks
/// from the shared array pool, which has too few for an upload.
/// </remarks>
internal static class KestrelSetup
{
    /// <param name="address">The address on which it listens.</param>
    /// <param name="wrap">What happens to its connections before they speak HTTP.</param>
    /// <param name="transport">Accepts connections in place of sockets; null: sockets.</param>
    /// <returns>The services whose <see cref="IServer"/> is Kestrel. The caller disposes them when it has stopped.</returns>
    public static ServiceProvider BuildServices(
        ListenAddress address, Action<ListenOptions> wrap, ILoggerFactory loggers, IConnectionListenerFactory? transport = null)
    {
        WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore();
        builder.Services.AddSingleton(loggers);
        if (transport is not null)
        {
            builder.Services.AddSingleton(transport); // Kestrel takes the transport that was added last
        }

        builder.Services.Configure<KestrelServerOptions>(options => Configure(options, address, wrap));
        return builder.Services.BuildServiceProvider();
    }

    public static void Configure(KestrelServerOptions options, ListenAddress address, Action<ListenOptions> wrap)
    {
        options.AddServerHeader = false;
        KestrelServerLimits limits = options.Limits;

        // Bodies are limited where they are read: each kind has its own limit, after decompression, with a message that
        // names it.
        limits.MaxRequestBodySize = null;
        limits.MaxConcurrentConnections = HttpLimits.ConnectionsMax;
        limits.MaxRequestHeaderCount = HttpLimits.HeaderCountMax;
        limits.MaxRequestHeadersTotalSize = HttpLimits.HeaderBytesMax;
        limits.MaxRequestLineSize = HttpLimits.RequestLineBytesMax;
        limits.RequestHeadersTimeout = HttpLimits.RequestHeadersTime;
        limits.KeepAliveTimeout = HttpLimits.KeepAliveTime;
        limits.MinResponseDataRate = new MinDataRate(limits.MinResponseDataRate!.BytesPerSecond, HttpLimits.AnswerStepTime);
        Listen(options, address, wrap);
    }

    private static void Listen(KestrelServerOptions options, ListenAddress address, Action<ListenOptions> wrap)
    {
        // HTTP/2 is off: no client asks for it, and its frames would be one more parser open to everybody.
        void Http1(ListenOptions listen)
        {
            listen.Protocols = HttpProtocols.Http1;
            wrap(listen);
        }

        if (address.Host == "*")
        {
            options.ListenAnyIP(address.Port, Http1);
        }
        else if (address.Host.Equals("localhost", StringComparison.OrdinalIgnoreCase) && address.Port != 0)
        {
            options.ListenLocalhost(address.Port, Http1);
        }
        else
        {
            options.Listen(Resolve(address), address.Port, Http1);
        }
    }

    private static IPAddress Resolve(ListenAddress address)
    {
        if (IPAddress.TryParse(address.Host, out IPAddress? ip))
        {
            return ip;
        }

        if (address.Host.Equals("localhost", StringComparison.OrdinalIgnoreCase))
        {
            return IPAddress.Loopback;
        }

        try
        {
            return Dns.GetHostAddresses(address.Host)[0];
        }
        catch (SocketException unknown)
        {
            throw new AddressUnusableException(address, unknown);
        }
    }
}
