using System.Text.Json;
using System.Text.RegularExpressions;
using Jackdaw.Server.Tests.Http;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Queries;

/// <summary>What docs/queries.md shows is what the server does.</summary>
public sealed partial class QueryPageTests
{
    [Fact]
    public async Task Page_Examples_GiveWhatIsWritten()
    {
        string page = await File.ReadAllTextAsync(Find("docs/queries.md"));
        await using ServerFixture server = await ServerFixture.StartAsync();
        foreach (string document in Blocks(page, "json"))
        {
            string[] parts = document.Split(' ', 2);
            await server.PutAsync(parts[0], parts[1]);
        }

        int examples = 0;
        foreach (string example in Blocks(page, "rql"))
        {
            string[] parts = example.Split("->", 2, StringSplitOptions.TrimEntries);
            Answer answer = await server.DbAsync("POST", "/queries", JsonSerializer.Serialize(new { Query = parts[0] }));
            Assert.True(answer.Status == 200, $"{parts[0]}: {answer.Text}");
            IEnumerable<JsonElement> rows = answer.Json.GetProperty("Results").EnumerateArray();
            string given = parts[1].StartsWith('{')
                ? string.Join(' ', rows.Select(row => Metadata().Replace(row.GetRawText(), "}")))
                : string.Join(", ", rows.Select(row => row.GetProperty("@metadata").GetProperty("@id").GetString()));
            Assert.True(given == parts[1], $"{parts[0]} gives {given}");
            examples++;
        }

        Assert.True(examples >= 15, $"{examples} examples");
    }

    private static IEnumerable<string> Blocks(string page, string language) =>
        page.Split("```" + language + "\n").Skip(1)
            .SelectMany(block => block[..block.IndexOf("```", StringComparison.Ordinal)].Split('\n', StringSplitOptions.RemoveEmptyEntries));

    private static string Find(string path)
    {
        string? folder = AppContext.BaseDirectory;
        while (folder is not null && !File.Exists(Path.Combine(folder, path)))
        {
            folder = Path.GetDirectoryName(folder);
        }

        return Path.Combine(folder ?? throw new FileNotFoundException(path), path);
    }

    [GeneratedRegex(",\"@metadata\":.*$")]
    private static partial Regex Metadata();
}
