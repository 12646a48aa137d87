using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Jackdaw.Pal.Native;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Server.Tests.Verbs;

/// <summary>A data folder with one database of three branches, written as a server writes it and ended as by a kill,
/// so that what was written last is in journals that all share.</summary>
internal sealed class StoredFamily : IDisposable
{
    /// <summary>Number of a value that is written first and stays: its page is flushed and not written again.</summary>
    public const int Lasting = 1000;

    private const int ValueBytes = 3000;
    private const int Kept = 40;
    private static readonly StorageOptions s_options = new() { BackgroundFlush = false, JournalFileBytes = 1 << 20 };
    private readonly NativePlatform _platform = new();

    /// <summary>Makes and writes it.</summary>
    public StoredFamily()
    {
        Directory.CreateDirectory(DataFolder);
        using var open = new OpenFamily(this);
        for (int i = 0; i < 3 * Kept; i++)
        {
            open.All.ForEach(storage => Write(storage, i));
            if (i == 2 * Kept)
            {
                open.All.ForEach(storage =>
                {
                    storage.Flush();
                    storage.Sync();
                });
            }
        }
    }

    public string DataFolder { get; } = Path.Combine(Path.GetTempPath(), $"jackdaw-verbs-{Guid.NewGuid():N}");

    /// <summary>Folder of the database.</summary>
    public string Root => Path.Combine(DataFolder, "Databases", "shop");

    /// <summary>Root, then branches.</summary>
    public IReadOnlyList<string> Folders => [Root, Branch("a"), Branch("b"), Branch("c")];

    public string Branch(string name) => Path.Combine(Root, "Indexes", name);

    /// <summary>Opens all, until disposed: ended as by a kill.</summary>
    public IDisposable Open() => new OpenFamily(this);

    /// <summary>Writes one entry of a tree of a storage, which is named by its place in <see cref="Folders"/>.</summary>
    public void Write(int folder, string tree, string key, string value)
    {
        using var open = new OpenFamily(this);
        using WriteTransaction write = open.All[folder].BeginWrite();
        write.Trees.CreateTree(Encoding.UTF8.GetBytes(tree)).Put(Encoding.UTF8.GetBytes(key), Encoding.UTF8.GetBytes(value));
        write.Commit();
    }

    /// <summary>Every storage has what was written, opened together.</summary>
    public void RequireContents()
    {
        using var open = new OpenFamily(this);
        open.All.ForEach(storage =>
        {
            Assert.Null(storage.SharingProblem);
            using ReadTransaction read = storage.BeginRead();
            BTree tree = Assert.IsType<BTree>(read.Trees.FindTree("t"u8));
            Assert.Equal(Kept, tree.EntryCount);
            for (int i = 2 * Kept; i < 3 * Kept; i++)
            {
                Assert.True(tree.TryGet(Key(i), out ReadOnlySpan<byte> value), $"{storage.Path}: {i}");
                Assert.True(value.SequenceEqual(Value(storage, i)), $"{storage.Path}: {i}");
            }
        });
    }

    public byte[] Value(string folder, int i)
    {
        byte[] value = new byte[ValueBytes];
        new Random(i + Path.GetFileName(folder)[0]).NextBytes(value);
        return value;
    }

    /// <summary>Names, lengths and contents below a folder, without locks and spare journals.</summary>
    public static string Fingerprint(string folder)
    {
        var text = new StringBuilder();
        foreach (string file in Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal))
        {
            if (Path.GetFileName(file) is { } name && name != "lock" && !name.StartsWith("pool-", StringComparison.Ordinal))
            {
                text.AppendLine(CultureInfo.InvariantCulture, $"{file} {Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(file)))}");
            }
        }

        return text.ToString();
    }

    public void Dispose() => Directory.Delete(DataFolder, recursive: true);

    private byte[] Value(StorageEnvironment storage, int i) => Value(storage.Path, i);

    private static byte[] Key(int i) => Encoding.ASCII.GetBytes(i.ToString("D6", CultureInfo.InvariantCulture));

    // What is deleted leaves free pages for the compaction.
    private void Write(StorageEnvironment storage, int i)
    {
        using WriteTransaction write = storage.BeginWrite();
        BTree tree = write.Trees.CreateTree("t"u8);
        tree.Put(Key(i), Value(storage, i));
        if (i == 0)
        {
            write.Trees.CreateTree("lasting"u8).Put(Key(Lasting), Value(storage, Lasting));
        }

        if (i >= Kept)
        {
            tree.Delete(Key(i - Kept));
        }

        write.Commit();
    }

    private sealed class OpenFamily : IDisposable
    {
        public OpenFamily(StoredFamily family)
        {
            var root = StorageEnvironment.Open(family._platform, family.Root, s_options);
            All = [root, .. family.Folders.Skip(1).Select(folder => StorageEnvironment.OpenBranch(root, folder, s_options))];
        }

        public List<StorageEnvironment> All { get; }

        public void Dispose() => Enumerable.Reverse(All).ToList().ForEach(storage => storage.Abandon());
    }
}
