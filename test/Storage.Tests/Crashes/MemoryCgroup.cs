using System.Globalization;

namespace Jackdaw.Storage.Tests.Crashes;

/// <summary>A group of processes with little memory, below the one of this process. Versions 1 and 2 of cgroups; for root.</summary>
internal sealed class MemoryCgroup : IDisposable
{
    private const string Mount = "/sys/fs/cgroup";
    private readonly string _folder;
    private readonly bool _isUnified;

    private MemoryCgroup(string folder, bool isUnified)
    {
        _folder = folder;
        _isUnified = isUnified;
    }

    /// <summary>Why this machine has none; null when it has.</summary>
    public static string? Problem { get; } = FindProblem();

    /// <summary>Processes of the group that the kernel ended because memory was out.</summary>
    public int OutOfMemoryKills => File.ReadLines(Path.Combine(_folder, _isUnified ? "memory.events" : "memory.oom_control"))
        .Where(line => line.StartsWith("oom_kill ", StringComparison.Ordinal))
        .Select(line => int.Parse(line.AsSpan("oom_kill ".Length), CultureInfo.InvariantCulture)).Single();

    /// <summary>Makes a group.</summary>
    /// <param name="bytes">Memory for all its processes; they get no swap.</param>
    public static MemoryCgroup Create(long bytes)
    {
        (string parent, bool isUnified) = FindParent();
        string folder = Path.Combine(parent, $"jackdaw-{Guid.NewGuid():N}");
        Directory.CreateDirectory(folder);
        var group = new MemoryCgroup(folder, isUnified);
        try
        {
            string limit = bytes.ToString(CultureInfo.InvariantCulture);
            File.WriteAllText(Path.Combine(folder, isUnified ? "memory.max" : "memory.limit_in_bytes"), limit);
            string swap = Path.Combine(folder, isUnified ? "memory.swap.max" : "memory.memsw.limit_in_bytes");
            if (File.Exists(swap))
            {
                File.WriteAllText(swap, isUnified ? "0" : limit);
            }

            return group;
        }
        catch
        {
            group.Dispose();
            throw;
        }
    }

    /// <summary>A command line that runs what follows it inside of the group.</summary>
    public IReadOnlyList<string> Enter => ["sh", "-c", $"echo $$ > {_folder}/cgroup.procs && exec \"$@\"", "sh"];

    /// <summary>Removes the group; its processes have ended.</summary>
    public void Dispose() => Directory.Delete(_folder);

    private static string? FindProblem()
    {
        try
        {
            Create(64L << 20).Dispose();
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or InvalidOperationException)
        {
            return $"no memory cgroup can be made here: {e.Message}";
        }
    }

    /// <summary>The group of this process, in the hierarchy that counts memory.</summary>
    private static (string Folder, bool IsUnified) FindParent()
    {
        if (!File.Exists("/proc/self/cgroup"))
        {
            throw new InvalidOperationException("there is no /proc/self/cgroup");
        }

        string[][] groups = [.. File.ReadLines("/proc/self/cgroup").Select(line => line.Split(':', 3))];
        string[]? memory = Array.Find(groups, parts => parts[1].Split(',').Contains("memory"));
        if (memory is not null)
        {
            return (Mount + "/memory" + memory[2], false);
        }

        string[] unified = Array.Find(groups, parts => parts[1].Length == 0) ?? throw new InvalidOperationException("no cgroup is named");

        // The root group has no limits of its own; a group with processes gives none to its children.
        string controllers = Mount + unified[2].TrimEnd('/') + "/cgroup.subtree_control";
        return File.ReadAllText(controllers).Contains("memory", StringComparison.Ordinal)
            ? (Mount + unified[2], true)
            : throw new InvalidOperationException($"{controllers} does not have 'memory'");
    }
}
