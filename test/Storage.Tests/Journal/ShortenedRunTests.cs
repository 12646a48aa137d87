using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Storage.Tests.Journal;

/// <summary>A run that is kept for a shorter value has old bytes behind it, which no journal entry carries.</summary>
public sealed class ShortenedRunTests
{
    private static readonly StorageOptions s_manual = new() { BackgroundFlush = false, JournalFileBytes = 1 << 20 };
    private readonly MemoryPlatform _platform = new();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Recovery_RunKeptForShorterValue_IsWhole(bool inOneTransaction)
    {
        byte[] first = MakeValue(1, (3 * Page.Size) - PageHeader.SizeOf);
        byte[] second = MakeValue(2, first.Length - Page.Size + 1);
        StorageEnvironment storage = StorageEnvironment.Open(_platform, "/db", s_manual);
        WriteTransaction transaction = storage.BeginWrite();
        transaction.Trees.CreateTree("t").Put("key"u8, first);
        if (!inOneTransaction)
        {
            transaction.Commit();
            transaction = storage.BeginWrite();
        }

        transaction.Trees.CreateTree("t").Put("key"u8, second);
        transaction.Commit();
        storage.Abandon();

        using StorageEnvironment reopened = StorageEnvironment.Open(_platform, "/db", s_manual);
        using ReadTransaction read = reopened.BeginRead();
        Assert.True(read.Trees.FindTree("t")!.TryGet("key"u8, out ReadOnlySpan<byte> value));
        Assert.True(value.SequenceEqual(second));
        Assert.Empty(EnvironmentVerifier.Verify(reopened));
    }

    private static byte[] MakeValue(int seed, int length)
    {
        byte[] value = new byte[length];
        new Random(seed).NextBytes(value);
        return value;
    }
}
