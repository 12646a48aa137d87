using System.Diagnostics;
using System.Globalization;
using Jackdaw.ProcessTests.Harness;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests;

/// <summary>A disk that fills and is freed again, under writes: a small file system in a file, filled with real blocks.</summary>
[Trait("Tier", "Full")]
public sealed class DiskFullTests(ITestOutputHelper output) : IDisposable
{
    private const int Cycles = 20;
    private const int DiskMegabytes = 400;

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [LoopFileSystemFact]
    public async Task Disk_FilledAndFreed_RefusesWritesWith507AndGoesOn()
    {
        string mount = Path.Combine(_folder.Path, "data");
        await MountAsync(mount);
        try
        {
            await RunAsync(mount);
        }
        finally
        {
            await ShellAsync($"umount {mount}");
        }
    }

    private async Task RunAsync(string mount)
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);
        await server.CreateDatabaseAsync("shop");
        string filler = new('x', 200_000);
        (int written, int refused) = (0, 0);
        for (int cycle = 0; cycle < Cycles; cycle++)
        {
            string ballast = Path.Combine(mount, "ballast");

            // Real blocks, nearly all there are; then writes take the rest.
            await ShellAsync($"fallocate -l $(( ($(df --output=avail -B1 {mount} | tail -n 1) - {(cycle % 4) * 8 + 1} * 1048576) )) {ballast}");
            Answer? full = null;
            for (int i = 0; i < 2000 && full is null; i++)
            {
                Answer answer = await server.PutAsync("shop", $"fill/{cycle}/{i}", $$"""{"cycle":{{cycle}},"filler":"{{filler}}"}""");
                if (answer.Status == 201)
                {
                    written++;
                }
                else
                {
                    full = answer;
                    refused++;
                }
            }

            Assert.True(full is not null, $"cycle {cycle}: the disk did not fill");
            full.AssertProblem(507, "RavenException", "shop", "full", "nothing of this transaction was written", "free some space");
            Assert.Equal(200, (await server.GetAsync("shop", $"fill/{cycle}/0")).Status);
            await server.ExpectAsync(200, "GET", "/health/ready");
            File.Delete(ballast);
            await RequireTakenAsync(await server.PutAsync("shop", "after", $$"""{"cycle":{{cycle}}}"""), cycle, mount);
            await RequireTakenAsync(await server.SendAsync("POST", "/databases/shop/bulk_docs",
                $$"""{"Commands":[{"Type":"DELETE","Id":"fill/{{cycle}}/","IdPrefixed":true}]}"""), cycle, mount);
            Assert.Equal(404, (await server.GetAsync("shop", $"fill/{cycle}/0")).Status);
        }

        output.WriteLine($"{Cycles} cycles: {written} writes taken, {refused} refused with 507; {ProcessFigures.Describe(server.Process.Id)}");
        await server.AssertServesAsync("shop");
        await server.StopAsync();
        ProcessEnd verified = await JackdawProcess.RunAsync(_folder.Path, "verify", _folder.Data);
        Assert.True(verified.Code == 0, verified.ToString());
    }

    private static async Task RequireTakenAsync(Answer answer, int cycle, string mount)
    {
        if (answer.Status != 201)
        {
            string files = await ShellAsync($"(df -B1M {mount}; ls -laR {mount}) >&2; exit 1");
            Assert.Fail($"cycle {cycle}: {answer.Status} {answer.Text}\n{files}");
        }
    }

    private async Task MountAsync(string mount)
    {
        Directory.CreateDirectory(mount);
        string image = Path.Combine(_folder.Path, "disk.img");
        string problem = await ShellAsync($"dd if=/dev/zero of={image} bs=1M count={DiskMegabytes} status=none && " +
            $"mkfs.ext4 -q -m 0 {image} && mount -o loop {image} {mount}");
        Assert.True(problem.Length == 0, problem);
    }

    /// <summary>Runs a command line; what it wrote to stderr when it failed, else nothing.</summary>
    private static async Task<string> ShellAsync(string command)
    {
        using Process shell = Process.Start(new ProcessStartInfo("bash", ["-c", command]) { RedirectStandardError = true })!;
        string errors = await shell.StandardError.ReadToEndAsync();
        await shell.WaitForExitAsync();
        return shell.ExitCode == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $"exit {shell.ExitCode}: {errors}");
    }

    /// <summary>Skipped, with the reason, where no file system can be mounted.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    private sealed class LoopFileSystemFactAttribute : FactAttribute
    {
        public LoopFileSystemFactAttribute() => Skip = LoopFileSystem.FindProblem("ext4")!;
    }
}
