using System.Globalization;
using System.Text;
using Jackdaw.Pal;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Sharing;

/// <summary>A root with branches, each with a tree that counts its transactions.</summary>
internal sealed class BranchFamily : IDisposable
{
    public const string RootPath = "/db";
    private readonly StorageOptions _options;

    public BranchFamily(IPlatform platform, int branches, StorageOptions? options = null)
    {
        Platform = platform;
        _options = options ?? new StorageOptions { BackgroundFlush = false, JournalFileBytes = 64 * 1024 };
        Root = StorageEnvironment.Open(platform, RootPath, _options);
        Branches = [.. Enumerable.Range(0, branches).Select(Open)];
    }

    /// <summary>A journal that is not filled by a few transactions.</summary>
    public static StorageOptions OneJournal => new() { BackgroundFlush = false, JournalFileBytes = 1 << 20 };

    public IPlatform Platform { get; }

    public StorageEnvironment Root { get; }

    public List<StorageEnvironment> Branches { get; }

    public IEnumerable<StorageEnvironment> All => [Root, .. Branches];

    public static string PathOf(int branch) => RootPath + "/Indexes/" + branch.ToString("D3", CultureInfo.InvariantCulture);

    public StorageEnvironment Open(int branch) => StorageEnvironment.OpenBranch(Root, PathOf(branch), _options);

    public StorageEnvironment OpenAlone(string path) => StorageEnvironment.Open(Platform, path, _options);

    /// <summary>One transaction: the count grows by one, beside a value of some bytes.</summary>
    public static PendingCommit Write(StorageEnvironment storage, int bytes = 100)
    {
        using WriteTransaction transaction = storage.BeginWrite();
        byte[] value = new byte[bytes];
        new Random((int)transaction.TransactionId).NextBytes(value);
        transaction.Trees.CreateTree("t"u8).Put(KeyOf(transaction.TransactionId), value);
        transaction.Trees.CreateTree("count"u8).Put("n"u8, BitConverter.GetBytes(transaction.TransactionId));
        return transaction.Submit();
    }

    public static void Commit(StorageEnvironment storage, int count = 1, int bytes = 100)
    {
        for (int i = 0; i < count; i++)
        {
            Write(storage, bytes).Wait();
        }
    }

    /// <summary>Transactions of which each is submitted before the one ahead of it is known to be durable.</summary>
    public static void WriteTogether(StorageEnvironment storage, int count, int bytes)
    {
        List<PendingCommit> submitted = [.. Enumerable.Range(0, count).Select(_ => Write(storage, bytes))];
        submitted.ForEach(commit => commit.Wait());
    }

    /// <summary>The count that the storage has; checks every value that belongs to it.</summary>
    public static long Check(StorageEnvironment storage, int bytes = 100)
    {
        using ReadTransaction read = storage.BeginRead();
        BTree? count = read.Trees.FindTree("count"u8);
        if (count is null || !count.TryGet("n"u8, out ReadOnlySpan<byte> found))
        {
            return 0;
        }

        long last = BitConverter.ToInt64(found);
        byte[] expected = new byte[bytes];
        for (long id = 1; id <= last; id++)
        {
            new Random((int)id).NextBytes(expected);
            Assert.True(read.Trees.FindTree("t"u8)!.TryGet(KeyOf(id), out ReadOnlySpan<byte> value), $"transaction {id} of {storage.Path}");
            Assert.Equal(expected, value.ToArray());
        }

        return last;
    }

    /// <summary>Names of the journals in a storage's folder.</summary>
    public List<string> Journals(string path) => [.. Platform.ListDirectory(path + "/Journals")
        .Where(name => JournalFormat.TryParseFileName(name, out _)).Select(name => path + "/Journals/" + name)];

    /// <summary>As a person copies the folder of a storage: other files with the same bytes.</summary>
    public static void Copy(IPlatform platform, string from, string to)
    {
        platform.CreateDirectory(to + "/Journals");
        IEnumerable<string> journals = platform.ListDirectory(from + "/Journals").Select(name => "Journals/" + name);
        foreach (string name in platform.ListDirectory(from).Where(name => name is not ("Journals" or "lock")).Concat(journals))
        {
            platform.Create(to + "/" + name, platform.ReadAll(from + "/" + name));
        }
    }

    /// <summary>Stops everything as a kill would.</summary>
    public void Abandon()
    {
        Branches.ForEach(branch => branch.Abandon());
        Root.Abandon();
    }

    public void Dispose()
    {
        Branches.ForEach(branch => branch.Dispose());
        Root.Dispose();
    }

    private static byte[] KeyOf(long id) => Encoding.UTF8.GetBytes(id.ToString("D10", CultureInfo.InvariantCulture));
}
