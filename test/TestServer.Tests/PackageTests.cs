using System.Diagnostics;
using System.IO.Compression;
using System.Xml.Linq;

namespace Jackdaw.TestServer.Tests;

/// <summary>The packages as somebody gets them who has nothing of this repository.</summary>
[Trait("Tier", "Full")]
public sealed class PackageTests(ITestOutputHelper output) : IDisposable
{
    private static readonly string[] s_assemblies =
    [
        "Jackdaw.Documents", "Jackdaw.Indexing", "Jackdaw.Json", "Jackdaw.Pal", "Jackdaw.Queries", "Jackdaw.Scripting", "Jackdaw.Search.Analysis",
        "Jackdaw.Search.Lucene", "Jackdaw.Search.Segments", "Jackdaw.Search.Vectors", "Jackdaw.Search", "Jackdaw.Security", "Jackdaw.Storage",
        "Jackdaw.TestServer", "jackdaw",
    ];

    private readonly string _folder = Directory.CreateTempSubdirectory("package-tests-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Package_InAFreshProject_RunsAServer()
    {
        string feed = Path.Combine(_folder, "feed");
        foreach (string project in (string[])["Client", "TestServer"])
        {
            await DotnetAsync(RepositoryFolder.Path, "pack", $"src/{project}", "-c", Configuration, "--no-build", "-o", feed);
        }

        CheckContents(feed);
        string program = Path.Combine(_folder, "program");
        Directory.CreateDirectory(program);
        await File.WriteAllTextAsync(Path.Combine(program, "nuget.config"), $"""
            <configuration>
              <packageSources><add key="local" value="{feed}" /></packageSources>
              <fallbackPackageFolders><add key="known" value="{KnownPackages}" /></fallbackPackageFolders>
              <config><add key="globalPackagesFolder" value="{Path.Combine(_folder, "packages")}" /></config>
            </configuration>
            """);
        await File.WriteAllTextAsync(Path.Combine(program, "Program.csproj"), """
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings>
                <Nullable>enable</Nullable>
                <NuGetAudit>false</NuGetAudit>
              </PropertyGroup>
              <ItemGroup><PackageReference Include="Jackdaw.TestServer" Version="*" /></ItemGroup>
            </Project>
            """);
        await File.WriteAllTextAsync(Path.Combine(program, "Program.cs"), """
            using Jackdaw.Client.Linq;
            using Jackdaw.TestServer;

            await using var server = await JackdawTestServer.StartAsync();
            await using var store = await server.NewStoreAsync();
            using var session = store.OpenAsyncSession();
            await session.StoreAsync(new Cart { Customer = "customers/1" });
            await session.SaveChangesAsync();
            await store.WaitForIndexingAsync();
            Console.WriteLine($"found {(await session.Query<Cart>().Where(cart => cart.Customer == "customers/1").ToListAsync()).Count}");

            public sealed class Cart { public string? Id { get; set; } public string? Customer { get; set; } }
            """);
        Assert.Contains("found 1", await DotnetAsync(program, "run"), StringComparison.Ordinal);

        // Built for one platform, native libraries lie beside the program.
        Assert.Contains("found 1", await DotnetAsync(program, "run", "--ucr", "--no-self-contained"), StringComparison.Ordinal);
    }

    private static string Configuration => AppContext.BaseDirectory.Contains("Release", StringComparison.Ordinal) ? "Release" : "Debug";

    private static string KnownPackages => Environment.GetEnvironmentVariable("NUGET_PACKAGES")
        ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");

    private static void CheckContents(string feed)
    {
        using ZipArchive package = ZipFile.OpenRead(Assert.Single(Directory.GetFiles(feed, "Jackdaw.TestServer.*.nupkg")));
        string[] files = [.. package.Entries.Select(entry => entry.FullName)];
        Assert.Equal(s_assemblies.Select(name => $"lib/net10.0/{name}.dll"), files.Where(file => file.EndsWith(".dll", StringComparison.Ordinal) &&
            file.StartsWith("lib/", StringComparison.Ordinal)).Order(StringComparer.Ordinal));

        // A program is compiled against the package's own types alone. Those of the server would meet its own, such as Program.
        Assert.Equal(["ref/net10.0/Jackdaw.TestServer.dll"], files.Where(file => file.EndsWith(".dll", StringComparison.Ordinal) &&
            file.StartsWith("ref/", StringComparison.Ordinal)));
        Assert.Contains("README.md", files);
        Assert.Contains("lib/net10.0/Jackdaw.TestServer.xml", files);
        Assert.Contains(files, file => file.StartsWith("runtimes/", StringComparison.Ordinal) && file.Split('/') is [_, _, "native", _]);
        using Stream nuspec = package.Entries.Single(entry => entry.FullName == "Jackdaw.TestServer.nuspec").Open();
        XElement[] dependencies = [.. XDocument.Load(nuspec).Descendants().Where(one => one.Name.LocalName == "dependency")];
        string?[] needed = [.. dependencies.Select(one => one.Attribute("id")?.Value)];
        Assert.All(dependencies.Where(one => one.Attribute("id")?.Value != "Jackdaw.Client"), one =>
            Assert.Contains("Compile", one.Attribute("exclude")?.Value, StringComparison.Ordinal));
        Assert.Contains("Jackdaw.Client", needed);
        Assert.DoesNotContain("jackdaw", needed);
        using ZipArchive symbols = ZipFile.OpenRead(Assert.Single(Directory.GetFiles(feed, "Jackdaw.TestServer.*.snupkg")));
        Assert.Equal(s_assemblies.Select(name => $"lib/net10.0/{name}.pdb"), symbols.Entries.Select(entry => entry.FullName)
            .Where(file => file.EndsWith(".pdb", StringComparison.Ordinal)).Order(StringComparer.Ordinal));
    }

    private async Task<string> DotnetAsync(string folder, params string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet", arguments) { WorkingDirectory = folder, RedirectStandardOutput = true };
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1"; // a node that stays would hold the output open
        using Process process = Process.Start(start)!;
        string text = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        output.WriteLine(text);
        Assert.Equal(0, process.ExitCode);
        return text;
    }
}
