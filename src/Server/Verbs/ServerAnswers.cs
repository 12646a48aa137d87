using System.Text.Json;
using Jackdaw.Server.Http.Bodies;

namespace Jackdaw.Server.Verbs;

/// <summary>What verbs read from the answers of a running server.</summary>
internal static class ServerAnswers
{
    /// <summary>What the server refused, in its own words.</summary>
    public static async Task<string> ReadProblemAsync(HttpResponseMessage answer, CancellationToken cancellationToken)
    {
        string text = await answer.Content.ReadAsStringAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            using var json = JsonDocument.Parse(text);
            return json.RootElement.TextMember("Message") ?? text;
        }
        catch (JsonException)
        {
            return $"{answer.RequestMessage?.RequestUri} answered {(int)answer.StatusCode}: {text}";
        }
    }
}
