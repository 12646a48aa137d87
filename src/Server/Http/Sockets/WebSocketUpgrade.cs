using System.Buffers.Text;
using System.Diagnostics.CodeAnalysis;
using System.Net.WebSockets;
using System.Security.Cryptography;
using System.Text;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;
using Microsoft.AspNetCore.Http.Features;

namespace Jackdaw.Server.Http.Sockets;

/// <summary>Turns a request into a websocket (RFC 6455, section 4.2), without extensions and sub-protocols.</summary>
internal static class WebSocketUpgrade
{
    /// <summary>The bytes of the key that clients send: 16 random bytes in base64.</summary>
    private const int KeyBytes = 16;

    /// <summary>Section 1.3.</summary>
    private const string AcceptSalt = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    /// <summary>Why a request cannot become a websocket; null when it can.</summary>
    public static Problem? Check(RequestContext context)
    {
        IHeaderDictionary headers = context.Request.Headers;
        if (context.Features.Get<IHttpUpgradeFeature>() is not { IsUpgradableRequest: true }
            || !headers.Upgrade.ToString().Equals("websocket", StringComparison.OrdinalIgnoreCase))
        {
            return new Problem(426, ProblemTypes.BadRequest,
                $"{context.Request.Path.Value} is a websocket; connect with ws:// or wss://, or with the headers Connection: Upgrade and Upgrade: websocket.");
        }

        if (headers.SecWebSocketVersion != "13")
        {
            return new Problem(426, ProblemTypes.BadRequest,
                $"The websocket has the version '{headers.SecWebSocketVersion}'; the server speaks version 13 (RFC 6455).");
        }

        return IsKey(headers.SecWebSocketKey.ToString())
            ? null
            : Problem.BadRequest("The header Sec-WebSocket-Key is not 16 bytes in base64; send a new random key for each connection.");
    }

    /// <summary>Answers a checked request with 101.</summary>
    public static async ValueTask<WebSocket> AcceptAsync(RequestContext context)
    {
        IHeaderDictionary headers = context.Response.Headers;
        headers.Connection = "Upgrade";
        headers.Upgrade = "websocket";
        headers.SecWebSocketAccept = AcceptOf(context.Request.Headers.SecWebSocketKey.ToString());
        Stream stream = await context.Features.GetRequiredFeature<IHttpUpgradeFeature>().UpgradeAsync().ConfigureAwait(false);
        return WebSocket.CreateFromStream(stream, new WebSocketCreationOptions { IsServer = true, KeepAliveInterval = TimeSpan.Zero });
    }

    private static bool IsKey(string text)
    {
        Span<byte> key = stackalloc byte[KeyBytes];
        return Base64.IsValid(text) && Convert.TryFromBase64String(text, key, out int bytes) && bytes == KeyBytes;
    }

    [SuppressMessage("Security", "CA5350", Justification = "The protocol prescribes it, and it keeps no secret.")]
    private static string AcceptOf(string key) => Convert.ToBase64String(SHA1.HashData(Encoding.ASCII.GetBytes(key + AcceptSalt)));
}
