using System.Text.Json;
using System.Text.RegularExpressions;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Rows;

/// <summary>What docs/queries.md, docs/indexes.md and others show is what the server does.</summary>
/// <remarks>Blocks of a page in their order: <c>json</c> has documents, an id and an object in each line; <c>index</c> has a name, then maps,
/// <c>reduce:</c>, <c>fields:</c>, one in each line; <c>counters</c> has operations and their answer; <c>rql</c> has queries, with
/// their parameters as <c>with {...}</c>, and what they answer: ids, or rows; <c>shop</c> has queries of another database, which holds the
/// sample data.</remarks>
public sealed partial class QueryPageTests
{
    [Theory]
    [InlineData("docs/queries.md", 35)]
    [InlineData("docs/indexes.md", 15)]
    [InlineData("docs/counters.md", 7)]
    [InlineData("docs/sample-data.md", 5)]
    [InlineData("docs/vectors.md", 17)]
    public async Task Page_Examples_GiveWhatIsWritten(string path, int least)
    {
        string page = await File.ReadAllTextAsync(Find(path));
        await using ServerFixture server = await ServerFixture.StartAsync();
        await using ServerFixture shop = await ServerFixture.StartAsync();
        if (page.Contains("```shop\n", StringComparison.Ordinal))
        {
            Assert.Equal(204, (await shop.DbAsync("POST", "/studio/sample-data")).Status);
        }

        int examples = 0;
        foreach (Match block in Block().Matches(page))
        {
            string[] lines = block.Groups[2].Value.Split('\n', StringSplitOptions.RemoveEmptyEntries);
            switch (block.Groups[1].Value)
            {
                case "json":
                    foreach (string[] document in lines.Select(line => line.Split(' ', 2)))
                    {
                        Assert.Equal(201, (await server.DbAsync("PUT", $"/docs?id={document[0]}", document[1])).Status);
                    }

                    break;
                case "counters":
                    string[] sent = block.Groups[2].Value.Split("->", 2, StringSplitOptions.TrimEntries);
                    Assert.Equal(sent[1], (await server.DbAsync("POST", "/counters", sent[0])).Text);
                    break;
                case "index":
                    await PutIndexAsync(server, lines);
                    break;
                default:
                    foreach (string line in lines)
                    {
                        await CheckAsync(block.Groups[1].Value == "shop" ? shop : server, line);
                        examples++;
                    }

                    break;
            }
        }

        Assert.True(examples >= least, $"{examples} examples");
    }

    private static async Task PutIndexAsync(ServerFixture server, string[] lines)
    {
        string? Part(string name) => lines.FirstOrDefault(line => line.StartsWith(name, StringComparison.Ordinal))?[name.Length..];
        Answer put = await server.PutDefinitionsAsync(new
        {
            Name = lines[0],
            Maps = lines.Skip(1).Where(line => !line.StartsWith("reduce: ", StringComparison.Ordinal)
                && !line.StartsWith("fields: ", StringComparison.Ordinal)),
            Reduce = Part("reduce: "),
            Fields = Part("fields: ") is { } fields ? (JsonElement?)JsonElement.Parse(fields) : null,
        });
        Assert.True(put.Status == 201, put.Text);
    }

    private static async Task CheckAsync(ServerFixture server, string example)
    {
        string[] parts = example.Split("->", 2, StringSplitOptions.TrimEntries);
        string[] asked = parts[0].Split(" with {", 2);
        object? parameters = asked.Length < 2 ? null : new { QueryParameters = JsonElement.Parse("{" + asked[1]) };
        Answer answer = await server.QueryAsync(asked[0], more: parameters);
        Assert.True(answer.Status == 200, $"{parts[0]}: {answer.Text}");
        IEnumerable<JsonElement> rows = answer.Json.GetProperty("Results").EnumerateArray();
        string given = parts[1].StartsWith('{')
            ? string.Join(' ', rows.Select(row => Metadata().Replace(row.GetRawText(), "}")))
            : string.Join(", ", rows.Select(row => row.GetProperty("@metadata").GetProperty("@id").GetString()));
        Assert.True(given == parts[1], $"{parts[0]} gives {given}");
    }

    private static string Find(string path)
    {
        string? folder = AppContext.BaseDirectory;
        while (folder is not null && !File.Exists(Path.Combine(folder, path)))
        {
            folder = Path.GetDirectoryName(folder);
        }

        return Path.Combine(folder ?? throw new FileNotFoundException(path), path);
    }

    [GeneratedRegex("^```(json|index|counters|rql|shop)\n(.*?)^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex Block();

    [GeneratedRegex(",\"@metadata\":.*$")]
    private static partial Regex Metadata();
}
