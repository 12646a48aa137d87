using System.Text;
using System.Text.Json;
using Xunit;

namespace Jackdaw.TestKit;

/// <summary>What came back for a request.</summary>
public sealed record Answer(int Status, string Text, IReadOnlyDictionary<string, string> Headers)
{
    public JsonElement Json => JsonDocument.Parse(Text).RootElement;

    public string? Header(string name) => Headers.GetValueOrDefault(name);

    /// <summary>Sends a request, its path as it stands; the body is text, bytes, an HttpContent or null.</summary>
    public static async Task<Answer> ToAsync(HttpClient client, string method, string path, object? body, params (string Name, string Value)[] headers)
    {
        var address = new Uri(client.BaseAddress! + path.TrimStart('/'), new UriCreationOptions { DangerousDisablePathAndQueryCanonicalization = true });
        using var request = new HttpRequestMessage(new HttpMethod(method), address);
        request.Content = body switch
        {
            null => null,
            string text => new ByteArrayContent(Encoding.UTF8.GetBytes(text)),
            byte[] bytes => new ByteArrayContent(bytes),
            _ => (HttpContent)body,
        };
        foreach ((string name, string value) in headers)
        {
            if (!request.Headers.TryAddWithoutValidation(name, value))
            {
                request.Content!.Headers.TryAddWithoutValidation(name, value);
            }
        }

        using HttpResponseMessage response = await client.SendAsync(request);
        string content = await response.Content.ReadAsStringAsync();
        var all = response.Headers.Concat(response.Content.Headers)
            .ToDictionary(header => header.Key, header => string.Join(',', header.Value), StringComparer.OrdinalIgnoreCase);
        return new Answer((int)response.StatusCode, content, all);
    }

    /// <summary>Checks that this is an error as clients expect it: status, type, and a message that says each of these.</summary>
    public Answer AssertProblem(int status, string typeEnd, params ReadOnlySpan<string> messageParts)
    {
        Assert.True(Status == status, $"Status {Status} instead of {status}: {Text}");
        string type = Json.GetProperty("Type").GetString()!;
        Assert.EndsWith(typeEnd, type, StringComparison.Ordinal);
        foreach (string part in messageParts)
        {
            Assert.Contains(part, Json.GetProperty("Message").GetString(), StringComparison.OrdinalIgnoreCase);
        }

        Assert.False(string.IsNullOrEmpty(Json.GetProperty("Url").GetString()), "no Url");
        Assert.StartsWith(type, Json.GetProperty("Error").GetString(), StringComparison.Ordinal);
        Assert.Equal("7.2.0.0", Header("Raven-Server-Version"));
        return this;
    }
}
