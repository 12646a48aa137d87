using System.Buffers.Binary;
using System.Text;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Documents.Databases;

/// <summary>The server's own storage: server id, commit index, database records, client configuration. One caller at a
/// time changes it.</summary>
/// <remarks>
/// Tree "Server": "id" (16 bytes), "commit" (8), "client" (client configuration of the server), "format" -> <see
/// cref="FormatVersion"/>.
/// Tree "Databases": name in lower case -> <see cref="SystemRecord"/>.
/// A tree for each kind of server-wide text ("Analyzers", "Sorters"): name in lower case -> text. Every change is one transaction, durable when
/// the call returns.
/// </remarks>
internal sealed class SystemStorage : IDisposable
{
    /// <summary>The version of trees and records that this program writes.</summary>
    public const int Format = 1;

    private const string What = "The server's own storage";
    private const string ServerTree = "Server";
    private const string DatabasesTree = "Databases";

    private readonly StorageEnvironment _environment;
    private long _commitIndex;

    private SystemStorage(StorageEnvironment environment)
    {
        _environment = environment;
        using (WriteTransaction write = environment.BeginWrite())
        {
            BTree server = write.Trees.CreateTree(ServerTree);
            bool isOlder = FormatVersion.IsOlder(server, Format, environment.Path, What);
            if (!server.Contains(IdKey))
            {
                server.Put(IdKey, Guid.NewGuid().ToByteArray());
                BinaryPrimitives.WriteInt64LittleEndian(server.Reserve(CommitKey, sizeof(long)), 1);
            }

            if (isOlder)
            {
                FormatVersion.Write(server, Format);
                write.Commit();
            }
        }

        Load();
    }

    public Guid ServerId { get; private set; }

    public long CommitIndex => Volatile.Read(ref _commitIndex);

    private static ReadOnlySpan<byte> IdKey => "id"u8;

    private static ReadOnlySpan<byte> CommitKey => "commit"u8;

    private static ReadOnlySpan<byte> ClientKey => "client"u8;

    public static SystemStorage Open(IPlatform platform, string path, StorageOptions options)
    {
        StorageEnvironment environment = StorageEnvironment.Open(platform, path, options);
        try
        {
            return new SystemStorage(environment);
        }
        catch
        {
            environment.Dispose();
            throw;
        }
    }

    /// <summary>Checks whether this program may read a storage, which may or may not be the server's own.</summary>
    /// <exception cref="StorageRefusedException">A newer program wrote it.</exception>
    public static void CheckFormat(TreeCatalog trees, string path)
    {
        if (trees.FindTree(ServerTree) is { } server)
        {
            FormatVersion.IsOlder(server, Format, path, What);
        }
    }

    /// <summary>The names, in lower case, of all databases in a system storage that must have files; empty for any other storage.</summary>
    public static List<string> ReadDatabaseNames(TreeCatalog trees)
    {
        var names = new List<string>();
        if (trees.FindTree(ServerTree) is null || trees.FindTree(DatabasesTree) is not { } databases)
        {
            return names;
        }

        using BTreeCursor cursor = databases.OpenCursor();
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
        {
            // The files of a database that is being deleted may be gone already.
            if (!SystemRecord.Parse(cursor.Value.ToArray()).IsBeingDeleted)
            {
                names.Add(Encoding.UTF8.GetString(cursor.Key));
            }
        }

        return names;
    }

    /// <summary>All records, including those of databases that are being deleted.</summary>
    public List<SystemRecord> ReadRecords()
    {
        using ReadTransaction read = _environment.BeginRead();
        var records = new List<SystemRecord>();
        if (read.Trees.FindTree(DatabasesTree) is not { } databases)
        {
            return records;
        }

        using BTreeCursor cursor = databases.OpenCursor();
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
        {
            records.Add(SystemRecord.Parse(cursor.Value.ToArray()));
        }

        return records;
    }

    /// <summary>Whether a database of the name is being deleted. Some or all of its files may still exist.</summary>
    public bool IsBeingDeleted(string name)
    {
        using ReadTransaction read = _environment.BeginRead();
        return read.Trees.FindTree(DatabasesTree) is { } databases
            && databases.TryGet(KeyOf(name), out ReadOnlySpan<byte> value)
            && SystemRecord.Parse(value.ToArray()).IsBeingDeleted;
    }

    public ClientConfiguration ReadClient()
    {
        using ReadTransaction read = _environment.BeginRead();
        return read.Trees.FindTree(ServerTree)!.TryGet(ClientKey, out ReadOnlySpan<byte> value)
            ? SystemRecord.ParseClient(value.ToArray())
            : ClientConfiguration.Unset;
    }

    /// <summary>Writes a record under the next commit index.</summary>
    public SystemRecord Put(Func<long, SystemRecord> make)
    {
        SystemRecord? record = null;
        Change(index =>
        {
            record = make(index);
            return trees => trees.CreateTree(DatabasesTree).Put(KeyOf(record.Record.Name), record.Format());
        });
        return record!;
    }

    /// <summary>Removes a record under the next commit index.</summary>
    public void Remove(string name) => Change(_ => trees => trees.CreateTree(DatabasesTree).Delete(KeyOf(name)));

    /// <summary>Writes the server's client configuration under the next commit index.</summary>
    public ClientConfiguration PutClient(Func<long, ClientConfiguration> make)
    {
        ClientConfiguration? client = null;
        Change(index =>
        {
            client = make(index);
            return trees => trees.CreateTree(ServerTree).Put(ClientKey, SystemRecord.FormatClient(client));
        });
        return client!;
    }

    /// <summary>A text of a kind by its name; null when there is none.</summary>
    public byte[]? FindText(string kind, string name)
    {
        using ReadTransaction read = _environment.BeginRead();
        return read.Trees.FindTree(kind) is { } tree && tree.TryGet(KeyOf(name), out ReadOnlySpan<byte> value) ? value.ToArray() : null;
    }

    /// <summary>All texts of a kind, in the order of their names.</summary>
    public List<byte[]> ListTexts(string kind)
    {
        using ReadTransaction read = _environment.BeginRead();
        List<byte[]> texts = [];
        if (read.Trees.FindTree(kind) is { } tree)
        {
            using BTreeCursor cursor = tree.OpenCursor();
            for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
            {
                texts.Add(cursor.Value.ToArray());
            }
        }

        return texts;
    }

    /// <summary>Writes texts of one kind under the next commit index.</summary>
    public void PutTexts(string kind, IReadOnlyList<(string Name, byte[] Text)> texts) => Change(_ => trees =>
    {
        BTree tree = trees.CreateTree(kind);
        foreach ((string name, byte[] text) in texts)
        {
            tree.Put(KeyOf(name), text);
        }
    });

    /// <summary>Removes a text under the next commit index.</summary>
    public void RemoveText(string kind, string name) => Change(_ => trees => trees.CreateTree(kind).Delete(KeyOf(name)));

    public void Dispose() => _environment.Dispose();

    private static byte[] KeyOf(string name) => Encoding.UTF8.GetBytes(name.ToLowerInvariant());

    private void Load()
    {
        using ReadTransaction read = _environment.BeginRead();
        BTree server = read.Trees.FindTree(ServerTree)!;
        bool isWhole = server.TryGet(IdKey, out ReadOnlySpan<byte> id) &
            server.TryGet(CommitKey, out ReadOnlySpan<byte> commit);
        if (!isWhole || id.Length != 16 || commit.Length != sizeof(long))
        {
            throw new CorruptionException(
                $"The server's own storage '{_environment.Path}' has no id or no commit index.");
        }

        ServerId = new Guid(id);
        _commitIndex = BinaryPrimitives.ReadInt64LittleEndian(commit);
    }

    private void Change(Func<long, Action<TreeCatalog>> prepare)
    {
        using WriteTransaction write = _environment.BeginWrite();
        long index = _commitIndex + 1;
        prepare(index)(write.Trees);
        BTree server = write.Trees.CreateTree(ServerTree);
        BinaryPrimitives.WriteInt64LittleEndian(server.Reserve(CommitKey, sizeof(long)), index);
        write.Commit();
        Volatile.Write(ref _commitIndex, index);
    }
}
