using Microsoft.Extensions.Primitives;

namespace Jackdaw.Server.Http.Sessions;

/// <summary>The cookie with the id of a session.</summary>
/// <remarks>Browsers keep a name that begins with <c>__Host-</c> only when the cookie is secure and for this host alone, so that no other site and no plain
/// connection can plant one. Strict: a request that another site causes comes without it. HttpOnly: no script reads it.</remarks>
internal static class SessionCookie
{
    public const string Name = "__Host-jackdaw";

    private const string Beginning = $"{Name}=";

    private const string Attributes = "; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=";

    /// <summary>Finds the id that a request shows; empty when it shows none.</summary>
    public static ReadOnlySpan<char> Find(HttpRequest request)
    {
        StringValues headers = request.Headers.Cookie;
        foreach (string? header in headers)
        {
            ReadOnlySpan<char> all = header;
            foreach (Range part in all.Split(';'))
            {
                ReadOnlySpan<char> cookie = all[part].Trim();
                if (cookie.StartsWith(Beginning, StringComparison.Ordinal))
                {
                    return cookie[Beginning.Length..];
                }
            }
        }

        return default;
    }

    /// <summary>Gives a browser its id.</summary>
    /// <param name="lifeTime">After which the browser forgets it.</param>
    public static void Set(HttpResponse response, string id, TimeSpan lifeTime) =>
        response.Headers.SetCookie = $"{Beginning}{id}{Attributes}{(long)lifeTime.TotalSeconds}";

    /// <summary>Takes it back.</summary>
    public static void Remove(HttpResponse response) => response.Headers.SetCookie = $"{Beginning}{Attributes}0";
}
