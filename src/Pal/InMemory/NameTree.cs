namespace Jackdaw.Pal.InMemory;

/// <summary>Folders and names in memory, with the rules of POSIX for links, renames and deletions.</summary>
/// <remarks>Not thread safe: the caller holds its platform's lock. Derived trees see each change of a folder.</remarks>
internal class NameTree
{
    internal NameTree(MemoryDirectory root)
    {
        Root = root;
    }

    /// <summary>The folder "/", which always exists.</summary>
    internal MemoryDirectory Root { get; }

    /// <summary>The node behind a path, or null.</summary>
    internal MemoryNode? Find(string path)
    {
        MemoryNode? node = Root;
        foreach (string part in Split(path))
        {
            if (node is not MemoryDirectory directory || !directory.Entries.TryGetValue(part, out node))
            {
                return null;
            }
        }

        return node;
    }

    /// <summary>The node behind a path.</summary>
    internal MemoryNode Get(string path, string operation) =>
        Find(path) ?? throw MemoryFailure.NotFound(operation, path);

    /// <summary>The folder that holds a path's last name.</summary>
    internal MemoryDirectory GetParent(string path, string operation, out string name)
    {
        string[] parts = Split(path);
        if (parts.Length == 0)
        {
            throw MemoryFailure.Invalid(operation, path);
        }

        name = parts[^1];
        MemoryNode node = Root;
        foreach (string part in parts.AsSpan(0, parts.Length - 1))
        {
            if (node is not MemoryDirectory directory)
            {
                throw MemoryFailure.NotDirectory(operation, path);
            }

            node = directory.Entries.TryGetValue(part, out MemoryNode? next)
                ? next
                : throw MemoryFailure.NotFound(operation, path);
        }

        return node as MemoryDirectory ?? throw MemoryFailure.NotDirectory(operation, path);
    }

    /// <summary>Folders of a path, outermost first, with a factory for the missing ones.</summary>
    internal void CreateDirectories(string path, Func<MemoryDirectory> create)
    {
        MemoryDirectory directory = Root;
        foreach (string part in Split(path))
        {
            if (!directory.Entries.TryGetValue(part, out MemoryNode? next))
            {
                next = create();
                Set(directory, part, next);
            }

            directory = next as MemoryDirectory ?? throw MemoryFailure.Exists("create directory", path);
        }
    }

    internal void Add(string path, MemoryNode node, string operation)
    {
        MemoryDirectory parent = GetParent(path, operation, out string name);
        if (parent.Entries.ContainsKey(name))
        {
            throw MemoryFailure.Exists(operation, path);
        }

        Set(parent, name, node);
    }

    internal void Link(string existingPath, string newPath)
    {
        MemoryNode node = Get(existingPath, "link");
        if (node is MemoryDirectory)
        {
            throw MemoryFailure.LinkToDirectory(existingPath);
        }

        Add(newPath, node, "link");
    }

    internal void Delete(string path)
    {
        MemoryDirectory parent = GetParent(path, "delete", out string name);
        if (!parent.Entries.TryGetValue(name, out MemoryNode? node))
        {
            throw MemoryFailure.NotFound("delete", path);
        }

        if (node is MemoryDirectory)
        {
            throw MemoryFailure.IsDirectory("delete", path);
        }

        Set(parent, name, null);
    }

    internal void DeleteTree(string path)
    {
        if (Find(path) is not MemoryDirectory directory)
        {
            throw MemoryFailure.NotFound("remove directory", path);
        }

        Empty(directory);
        MemoryDirectory parent = GetParent(path, "remove directory", out string name);
        Set(parent, name, null);
    }

    /// <summary>Renames; returns false when both names mean the same file already, which POSIX makes a no-op.</summary>
    internal bool Rename(string fromPath, string toPath)
    {
        MemoryDirectory from = GetParent(fromPath, "rename", out string fromName);
        MemoryDirectory to = GetParent(toPath, "rename", out string toName);
        if (!from.Entries.TryGetValue(fromName, out MemoryNode? node))
        {
            throw MemoryFailure.NotFound("rename", fromPath);
        }

        to.Entries.TryGetValue(toName, out MemoryNode? replaced);
        if (ReferenceEquals(node, replaced))
        {
            return false;
        }

        CheckReplace(node, replaced, fromPath, toPath);
        Move(from, fromName, to, toName, node);
        return true;
    }

    /// <summary>Gives a name another node (null = none) and keeps the link counts. Except for <see cref="Move"/> the
    /// only place where a folder changes.</summary>
    protected virtual void Set(MemoryDirectory directory, string name, MemoryNode? node)
    {
        Replace(directory, name, node);
    }

    /// <summary>Moves a name; a node under the new name is replaced.</summary>
    protected virtual void Move(
        MemoryDirectory from, string fromName, MemoryDirectory to, string toName, MemoryNode node)
    {
        Replace(to, toName, node);
        Replace(from, fromName, null);
    }

    protected static void Replace(MemoryDirectory directory, string name, MemoryNode? node)
    {
        directory.Entries.Remove(name, out MemoryNode? old);
        if (node != null)
        {
            directory.Entries.Add(name, node);
            node.Links++;
        }

        if (old != null)
        {
            old.Links--;
            (old as MemoryContent)?.FreeIfUnused();
        }
    }

    private static string[] Split(string path)
    {
        return Path.GetFullPath(path).Split('/', StringSplitOptions.RemoveEmptyEntries);
    }

    private static void CheckReplace(MemoryNode node, MemoryNode? replaced, string fromPath, string toPath)
    {
        if (node is MemoryDirectory && Path.GetFullPath(toPath).StartsWith(Path.GetFullPath(fromPath) + "/",
            StringComparison.Ordinal))
        {
            throw MemoryFailure.Invalid("rename", toPath);
        }

        if (replaced is MemoryDirectory directory)
        {
            if (node is not MemoryDirectory)
            {
                throw MemoryFailure.IsDirectory("rename", toPath);
            }

            if (directory.Entries.Count > 0)
            {
                throw MemoryFailure.NotEmpty("rename", toPath);
            }
        }
        else if (replaced != null && node is MemoryDirectory)
        {
            throw MemoryFailure.NotDirectory("rename", toPath);
        }
    }

    private void Empty(MemoryDirectory directory)
    {
        foreach ((string name, MemoryNode node) in directory.Entries.ToArray())
        {
            if (node is MemoryDirectory child)
            {
                Empty(child);
            }

            Set(directory, name, null);
        }
    }
}
