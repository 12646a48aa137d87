using System.Diagnostics;
using Jackdaw.ProcessTests.Harness;

namespace Jackdaw.ProcessTests;

/// <summary>What README.md tells a newcomer to paste works as it stands there.</summary>
public sealed class QuickStartTests : IDisposable
{
    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task QuickStart_LinesOfTheReadme_DoWhatTheySay()
    {
        string[] lines = [.. File.ReadLines(Path.Combine(JackdawProcess.RepositoryFolder, "README.md"))
            .SkipWhile(line => line != "## Quick start").Skip(1).TakeWhile(line => !line.StartsWith("## ", StringComparison.Ordinal))
            .Where(line => line.StartsWith("curl ", StringComparison.Ordinal))];
        Assert.Equal(7, lines.Length);
        using RunningServer server = await RunningServer.StartAsync(_folder);

        string[] answers = new string[lines.Length];
        for (int i = 0; i < lines.Length; i++)
        {
            answers[i] = await PasteAsync(lines[i].Replace("http://127.0.0.1:8080/", server.Address.ToString(), StringComparison.Ordinal));
        }

        Assert.EndsWith("[201]", answers[0], StringComparison.Ordinal);
        Assert.EndsWith("[201]", answers[1], StringComparison.Ordinal);
        Assert.EndsWith("[200]", answers[2], StringComparison.Ordinal);
        Assert.Contains("\"Name\":\"Ann\"", answers[2], StringComparison.Ordinal);
        Assert.EndsWith("[201]", answers[3], StringComparison.Ordinal);
        Assert.Equal("[204]", answers[4]);
        Assert.EndsWith("[201][204]", answers[5], StringComparison.Ordinal);
        Assert.Contains("\"TotalResults\":42", answers[6], StringComparison.Ordinal);
        Assert.Equal(404, (await server.GetAsync("shop", "users/1")).Status);

        // The condition is one: the line with the version of a document that is gone is refused.
        Assert.Equal("[409]", (await PasteAsync("curl -X PUT '" + server.Address + "databases/shop/docs?id=users/1' -H 'If-Match: \"A:1-x\"' -d '{}'"))[^5..]);
        await server.StopAsync();
    }

    private static async Task<string> PasteAsync(string line)
    {
        // As in a terminal, with the status behind each answer.
        const string statusToo = "curl() { command curl -s -w '[%{http_code}]' \"$@\"; }\n";
        using Process shell = Process.Start(new ProcessStartInfo("bash", ["-c", statusToo + line]) { RedirectStandardOutput = true })!;
        string answer = await shell.StandardOutput.ReadToEndAsync();
        await shell.WaitForExitAsync();
        return answer;
    }
}
