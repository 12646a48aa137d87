using System.Security.Cryptography;
using System.Text;
using Jackdaw.Documents.Answers;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Sessions;

/// <summary>The page that a login link opens. Opening it uses nothing up, so that previews of links do no harm; its button does.</summary>
/// <remarks>The secret is behind the # of the address, which browsers do not send: it is in no log of a server or proxy, and in no Referer. The script sends it
/// in a body. The page may use its own script and style, and nothing else.</remarks>
internal static class LoginPage
{
    private const string Style =
        "body{font:1.1rem sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.4rem 1.2rem}code{background:#eee}";

    private const string Script =
        """
        const text = document.getElementById('text'), enter = document.getElementById('enter'), leave = document.getElementById('leave');
        const secret = location.hash.slice(1);
        async function send(path, body) {
          const answer = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
          const said = answer.status === 204 ? {} : await answer.json();
          if (!answer.ok) throw new Error(said.Message);
          return said;
        }
        function act(button, path, body, say) {
          button.addEventListener('click', async () => {
            button.disabled = true;
            try {
              text.textContent = say(await send(path, body));
              button.hidden = true;
              if (button === enter) leave.hidden = false;
            } catch (failure) {
              text.textContent = failure.message;
              button.disabled = false;
            }
            history.replaceState(null, '', location.pathname);
          });
        }
        act(enter, '/login', { Link: secret }, session =>
          `This browser is logged in with the clearance ${session.SecurityClearance} until ${new Date(session.Expires).toLocaleString()}.`);
        act(leave, '/logout', {}, () => 'This browser is logged out.');
        if (secret) { text.textContent = 'This link logs this browser in, once.'; enter.hidden = false; } else { leave.hidden = false; }
        """;

    private static readonly string s_policy =
        $"default-src 'none'; script-src '{HashOf(Script)}'; style-src '{HashOf(Style)}'; connect-src 'self'; form-action 'none'; base-uri 'none'; "
        + "frame-ancestors 'none'";

    private static readonly byte[] s_page = Encoding.UTF8.GetBytes(
        $"""
        <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Jackdaw: log in</title><style>{Style}</style></head><body><h1>Jackdaw</h1>
        <p id="text">There is no link in this address. Get one with <code>jackdaw login-link</code> on the machine of the server.</p>
        <p><button id="enter" hidden>Log in</button> <button id="leave" hidden>Log out</button></p>
        <noscript><p>This page needs JavaScript to send the link.</p></noscript><script>{Script}</script></body></html>

        """);

    /// <summary>Sends the page.</summary>
    public static async ValueTask SendAsync(RequestContext context)
    {
        Protect(context.Response);
        context.Response.Headers.ContentSecurityPolicy = s_policy;
        using var page = new ResponseBuffer(context.Server.Answers);
        page.Append(s_page);
        await context.Send(StatusCodes.Status200OK, page, "text/html; charset=utf-8").ConfigureAwait(false);
    }

    /// <summary>Adds the headers that every answer about links and sessions has.</summary>
    public static void Protect(HttpResponse response)
    {
        IHeaderDictionary headers = response.Headers;
        headers.CacheControl = "no-store";
        headers["Referrer-Policy"] = "no-referrer";
        headers.XContentTypeOptions = "nosniff";
        headers.XFrameOptions = "DENY";
    }

    private static string HashOf(string source) => $"sha256-{Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(source)))}";
}
