using System.Diagnostics;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Tests.Transactions;

/// <summary>A storage tells who reads its oldest state, for how long, and what that costs.</summary>
public sealed class OldestReaderTests : IDisposable
{
    private const int ValueBytes = 3 << 10; // a page each, in leaves of two

    private readonly StorageEnvironment _storage = StorageEnvironment.Open(
        new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false, JournalFileBytes = 64 << 10 });

    public void Dispose() => _storage.Dispose();

    [Fact]
    public void Figures_NobodyReads_NameNoReader()
    {
        Write(0);
        Assert.Null(_storage.Figures.OldestReader);
    }

    [Fact]
    public void Figures_SeveralReaders_NameTheOneOfTheOldestState()
    {
        Write(0);
        using ReadTransaction old = _storage.BeginRead(ReaderKind.Stream);
        long began = Stopwatch.GetTimestamp();
        Write(1);
        using ReadTransaction newer = _storage.BeginRead(ReaderKind.Load);
        SpinWait.SpinUntil(() => Stopwatch.GetElapsedTime(began).TotalMilliseconds > 60); // ages are by the machine's clock

        OldestReader oldest = _storage.Figures.OldestReader!.Value;
        Assert.Equal((ReaderKind.Stream, old.TransactionId), (oldest.Kind, oldest.TransactionId));
        Assert.InRange(oldest.AgeMs, 30, Stopwatch.GetElapsedTime(began).TotalMilliseconds + 30);
        old.Dispose();
        Assert.Equal(ReaderKind.Load, _storage.Figures.OldestReader!.Value.Kind);
    }

    [Fact]
    public void RetainedScratchBytes_IsWhatTheEndOfTheReaderFrees()
    {
        Write(0);
        _storage.Flush();
        using ReadTransaction reader = _storage.BeginRead();
        Assert.Equal(0, _storage.Figures.OldestReader!.Value.RetainedScratchBytes);
        for (int i = 1; i <= 20; i++)
        {
            Write(i);
        }

        _storage.Flush();
        long retained = _storage.Figures.OldestReader!.Value.RetainedScratchBytes;
        long before = _storage.Scratch.RentedBytes;
        reader.Dispose();
        _storage.Flush();

        Assert.True(retained >= 20 * 8192, $"{retained}");
        Assert.Equal(retained, before - _storage.Scratch.RentedBytes);
        Assert.Equal(0, _storage.Scratch.RentedBytes);
    }

    [Fact]
    public void RetainedScratchBytes_PagesThatWereFlushedUnderAReader_AreCounted()
    {
        Write(0);
        using ReadTransaction reader = _storage.BeginRead();
        _storage.Flush(); // in the file now, and still what the reader sees
        OldestReader oldest = _storage.Figures.OldestReader!.Value;
        Assert.Equal(_storage.Scratch.RentedBytes, oldest.RetainedScratchBytes);
        Assert.True(oldest.RetainedScratchBytes > 0);
        reader.Dispose();
        using ReadTransaction later = _storage.BeginRead();
        Assert.Equal(0, _storage.Figures.OldestReader!.Value.RetainedScratchBytes);
    }

    [Fact]
    public void RetainedJournals_GrowUntilTheReaderEnds()
    {
        Write(0);
        using ReadTransaction reader = _storage.BeginRead();
        Assert.Equal(0, _storage.Figures.OldestReader!.Value.RetainedJournals);
        for (int i = 1; i <= 100; i++)
        {
            Write(i);
        }

        _storage.Flush();
        _storage.Sync();
        OldestReader oldest = _storage.Figures.OldestReader!.Value;
        Assert.True(oldest.RetainedJournals >= 2, $"{oldest}");
        Assert.InRange(oldest.RetainedJournalBytes, oldest.RetainedJournals * (64L << 10), _storage.Figures.JournalBytes);
        reader.Dispose();
        _storage.Flush();
        _storage.Sync();
        Assert.InRange(_storage.Figures.JournalFiles, 1, oldest.RetainedJournals);
    }

    [Fact]
    public void Figures_WriteTransaction_IsAReaderToo()
    {
        using WriteTransaction transaction = _storage.BeginWrite();
        Assert.Equal(ReaderKind.Write, _storage.Figures.OldestReader!.Value.Kind);
    }

    [Fact]
    public void Figures_ReadersBeyondTheSlots_AreLookedAt()
    {
        List<ReadTransaction> readers = [];
        for (int i = 0; i < ReaderSlots.SlotCount; i++)
        {
            readers.Add(_storage.BeginRead(ReaderKind.Load));
        }

        using ReadTransaction last = _storage.BeginRead(ReaderKind.Verification);
        readers.ForEach(reader => reader.Dispose());
        Assert.Equal(ReaderKind.Verification, _storage.Figures.OldestReader!.Value.Kind);
    }

    private void Write(int number)
    {
        using WriteTransaction transaction = _storage.BeginWrite();
        byte[] value = new byte[ValueBytes];
        new Random(number).NextBytes(value);
        transaction.Trees.CreateTree("t").Put([(byte)number], value);
        transaction.Commit();
    }
}
