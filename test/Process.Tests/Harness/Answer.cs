using System.Text.Json;

namespace Jackdaw.ProcessTests.Harness;

/// <summary>What came back over HTTP.</summary>
internal sealed record Answer(int Status, string Text, IReadOnlyDictionary<string, string> Headers)
{
    public JsonElement Json => JsonDocument.Parse(Text).RootElement;

    /// <summary>An error as clients expect it: status, type, and a message that says each of these.</summary>
    public Answer AssertProblem(int status, string type, params ReadOnlySpan<string> messageParts)
    {
        Assert.True(Status == status, $"Status {Status} instead of {status}: {Text}");
        Assert.EndsWith("." + type, Json.GetProperty("Type").GetString(), StringComparison.Ordinal);
        string message = Json.GetProperty("Message").GetString()!;
        foreach (string part in messageParts)
        {
            Assert.Contains(part, message, StringComparison.OrdinalIgnoreCase);
        }

        Assert.False(string.IsNullOrEmpty(Json.GetProperty("Url").GetString()), "no Url");
        Assert.StartsWith(Json.GetProperty("Type").GetString()!, Json.GetProperty("Error").GetString(), StringComparison.Ordinal);
        Assert.True(Headers.ContainsKey("Raven-Server-Version"), "no Raven-Server-Version");
        return this;
    }
}
