using System.Reflection;
using Jackdaw.Client.AspNetCore;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.PublicApi;

/// <summary>The public surface of the packages is committed text, so that each change of it is seen.</summary>
public sealed class PublicApiTests
{
    private const string Switch = "UPDATE_PUBLIC_API";

    [Fact]
    public void Client_PublicMembers_AreAsCommitted() => Check(typeof(DocumentStore).Assembly, "src/Client/PublicApi.txt");

    [Fact]
    public void AspNetCore_PublicMembers_AreAsCommitted() => Check(typeof(JackdawOptions).Assembly, "src/Client.AspNetCore/PublicApi.txt");

    [Fact]
    public void Text_OfMembers_HasWhatMayBeNull()
    {
        IReadOnlyList<string> lines = ApiText.Of(typeof(DocumentStore).Assembly);
        Assert.Contains("Jackdaw.Client.IDocumentStore.Database : string? { get; }", lines);
        Assert.Contains("Jackdaw.Client.Sessions.IDocumentSession.Load<T>(string? id) : T?", lines);
        Assert.Contains("Jackdaw.Client.Sessions.TransactionMode.ClusterWide = 1", lines);
        Assert.DoesNotContain(lines, line => line.Contains("SessionCore", StringComparison.Ordinal));
    }

    private static void Check(Assembly assembly, string path)
    {
        string file = Path.Combine(RepositoryFolder.Path, path);
        IReadOnlyList<string> lines = ApiText.Of(assembly);
        if (Environment.GetEnvironmentVariable(Switch) == "1")
        {
            File.WriteAllText(file, string.Concat(lines.Select(line => line + "\n")));
            return;
        }

        string[] committed = File.ReadAllLines(file);
        string[] changes = [.. committed.Except(lines).Select(line => "- " + line), .. lines.Except(committed).Select(line => "+ " + line)];
        Assert.True(changes.Length == 0,
            $"The public members are not those of {path}:{Environment.NewLine}{string.Join(Environment.NewLine, changes)}{Environment.NewLine}" +
            $"If that is meant: {Switch}=1 dotnet test test/Client.Tests --filter FullyQualifiedName~PublicApiTests, and commit the file.");
    }
}
