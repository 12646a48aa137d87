using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Jackdaw.Pal;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Journal.Recovery;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Scratch;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Tests.DirectRuns;

/// <summary>What the opening makes of runs that the journal only names.</summary>
public sealed unsafe class DirectRunRecoveryTests : IDisposable
{
    private readonly RunStorage _runs = new();

    public void Dispose() => _runs.Dispose();

    /// <summary>How the bytes of a run may be wrong.</summary>
    public enum Damage
    {
        HeaderBit,
        FirstByte,
        LastByte,
        BehindTheValue,
        ZeroPage,
        OlderRunOfThePlace,
        RunOfAnotherPlace,
        WholeZero,
    }

    public static TheoryData<Damage> Damages => [.. Enum.GetValues<Damage>()];

    /// <summary>Damage of a run that is in use, and that no header names yet, is found by the opening.</summary>
    [Theory]
    [MemberData(nameof(Damages))]
    public void Opening_WhereARunIsDamaged_IsRefused(Damage damage)
    {
        PageNumber place = PrepareAndKill();
        byte[] good = Read(place, RunStorage.RunPages);
        Do(damage, place);
        CorruptionException refusal = Assert.ThrowsAny<CorruptionException>(_runs.Open);
        Assert.Equal(place, Assert.IsType<CorruptedPageException>(refusal).Page);
        Assert.Contains("journal names", refusal.Message, StringComparison.Ordinal);
        Assert.ThrowsAny<CorruptionException>(_runs.Open); // nothing was changed by the refusal

        Write(place, good);
        _runs.Open();
        _runs.RequireRun(2, 2);
        _runs.RequireSound();
    }

    /// <summary>The file was cut behind the pages that the header names, and before the end of a run that only the journal names.</summary>
    [Fact]
    public void Opening_WhereTheFileEndsInsideARun_IsRefused()
    {
        _runs.Put(1, 1);
        _runs.FlushAndSync();
        PageNumber place = _runs.Put(2, 2, bytes: 4 << 20);
        _runs.Storage.Abandon();
        using (PalFile file = _runs.Platform.OpenFile(RunStorage.DataPath, FileOpening.Existing, FileUse.Data))
        {
            file.SetLength((place + 300).Offset);
        }

        Assert.Equal(place, Assert.Throws<CorruptedPageException>(_runs.Open).Page);
    }

    /// <summary>A run that was freed, or replaced, or changed as a whole later on is not needed: nobody looks at it.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Opening_WhereARunIsDamagedThatIsNotInUse_IsWhole(bool isChanged)
    {
        PageNumber place = Prepare();
        _runs.Write(transaction =>
        {
            if (isChanged)
            {
                RunStorage.Put(transaction, 2, 7, isDirect: false); // in its place, through the journal
            }
            else
            {
                RunStorage.Tree(transaction).Delete(RunStorage.KeyOf(2));
            }
        });
        _runs.Storage.Abandon();
        Do(Damage.WholeZero, place);
        _runs.Open();
        _runs.RequireSound();
        if (isChanged)
        {
            _runs.RequireRun(2, 7);
        }

        _runs.Reopen();
        _runs.RequireSound();
    }

    /// <summary>When the header names the transaction, the run is a page as any other: its damage is told when it is used.</summary>
    [Fact]
    public void Damage_OfARunThatTheHeaderNames_IsToldWhenItIsUsed()
    {
        PageNumber place = Prepare();
        _runs.FlushAndSync();
        _runs.Storage.Dispose();
        Do(Damage.LastByte, place);
        _runs.Open();
        Assert.Throws<CorruptedPageException>(() => _runs.RequireRun(2, 2));
        _runs.RequireRun(1, 1);
    }

    /// <summary>A run of one page that was changed: the journal has the difference, and the data file what it is a difference to.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Recovery_OfARunOfOnePageThatWasChanged_BuildsOnTheDataFile(bool isFlushed)
    {
        const int bytes = 5000;
        _runs.Put(1, 1, bytes: bytes);
        for (byte fill = 2; fill < 5; fill++)
        {
            _runs.Put(1, fill, isDirect: false, bytes);
        }

        if (isFlushed)
        {
            _runs.Storage.Flush(); // but not synced: the header begins before
        }

        _runs.Kill();
        _runs.RequireRun(1, 4, bytes);
        _runs.RequireSound();
        _runs.CutPower();
        _runs.RequireRun(1, 4, bytes);
    }

    /// <summary>Recovery changes nothing that the next one needs, and the run counts as verified afterwards.</summary>
    [Fact]
    public void Recovery_AgainAndAgain_FindsTheSame()
    {
        PrepareAndKill();
        for (int i = 0; i < 4; i++)
        {
            _runs.Open();
            _runs.RequireRun(2, 2);
            _runs.RequireSound();
            _runs.Storage.Abandon();
        }

        _runs.Open();
        _runs.FlushAndSync();
        _runs.CutPower();
        _runs.RequireRun(2, 2);
    }

    public static TheoryData<string> WrongRecords => [.. s_wrongRecords.Keys];

    private static readonly Dictionary<string, RecordChange> s_wrongRecords = new(StringComparer.Ordinal)
    {
        ["short"] = (ref PageRecord record, ref PageHeader _) => record.Bytes = PageHeader.SizeOf - 8,
        ["empty"] = (ref PageRecord record, ref PageHeader _) => record.Bytes = 0,
        ["other number"] = (ref PageRecord _, ref PageHeader header) => header.PageNumber = new PageNumber(11),
        ["not a run"] = (ref PageRecord _, ref PageHeader header) => header.Type = PageType.TreeLeaf,
        ["no value"] = (ref PageRecord _, ref PageHeader header) => header.OverflowBytes = 0,
        ["negative value"] = (ref PageRecord _, ref PageHeader header) => header.OverflowBytes = int.MinValue,
        ["too large"] = (ref PageRecord _, ref PageHeader header) => header.OverflowBytes = Page.OverflowBytesMax + 1,
        ["ends behind the pages in use"] = (ref PageRecord _, ref PageHeader header) => header.OverflowBytes = 10 * Page.Size,
        ["unknown kind"] = (ref PageRecord record, ref PageHeader _) => record.Kind = (PageRecordKind)5,
    };

    private delegate void RecordChange(ref PageRecord record, ref PageHeader header);

    [Theory]
    [MemberData(nameof(WrongRecords))]
    public void Record_ThatNamesNoRun_IsRefused(string name)
    {
        using var pool = new ScratchPool();
        var recovered = new RecoveredPages(pool, null!, "/db", 1);
        byte* payload = stackalloc byte[PageRecord.SizeOf + PageHeader.SizeOf];
        var record = new PageRecord { PageNumber = 10, Bytes = PageHeader.SizeOf, Kind = PageRecordKind.Direct };
        var header = new PageHeader { PageNumber = new PageNumber(10), Type = PageType.Overflow, OverflowBytes = 9 * Page.Size };
        Assert.True(TryReplay());
        Assert.True(TryReplay()); // the same run again, as a later transaction may name it
        s_wrongRecords[name](ref record, ref header);
        Assert.False(TryReplay());

        bool TryReplay()
        {
            Unsafe.Write(payload, record);
            Unsafe.Write(payload + PageRecord.SizeOf, header);
            return recovered.TryReplay(payload, PageRecord.SizeOf + record.Bytes, 0, 1, new PageNumber(20));
        }
    }

    [Fact]
    public void Record_OfADirectRun_HasKind4AndThePageHeader()
    {
        Assert.Equal(4, (int)PageRecordKind.Direct);
        PageNumber place = Prepare();
        PageHeader header = MemoryMarshal.Read<PageHeader>(Read(place, 1));
        byte[] record = new byte[PageRecord.SizeOf + PageHeader.SizeOf];
        MemoryMarshal.Write(record, new PageRecord { PageNumber = place.Value, Bytes = PageHeader.SizeOf, Kind = (PageRecordKind)4 });
        MemoryMarshal.Write(record.AsSpan(PageRecord.SizeOf), header);
        string folder = RunStorage.Path + "/" + JournalFormat.FolderName;
        string journal = _runs.Platform.ListDirectory(folder).First(name => JournalFormat.TryParseFileName(name, out _));
        Assert.True(ReadAll($"{folder}/{journal}").AsSpan().IndexOf(record) > 0, "the entry is not compressed, and has the record as it is");
    }

    private PageNumber Prepare()
    {
        _runs.Put(1, 1);
        _runs.FlushAndSync();
        _runs.Delete(1);
        _runs.FlushAndSync();
        PageNumber older = _runs.Put(2, 9);
        _runs.FlushAndSync();
        _older = Read(older, RunStorage.RunPages);
        _runs.Delete(2);
        _runs.FlushAndSync();
        PageNumber place = _runs.Put(2, 2);
        Assert.Equal(older, place);
        _runs.Put(1, 1);
        return place;
    }

    private byte[] _older = []; // what the place of the run had before

    private PageNumber PrepareAndKill()
    {
        PageNumber place = Prepare();
        _runs.Storage.Abandon();
        return place;
    }

    private void Do(Damage damage, PageNumber place)
    {
        byte[] run = Read(place, RunStorage.RunPages);
        switch (damage)
        {
            case Damage.HeaderBit:
                run[16] ^= 4;
                break;
            case Damage.FirstByte:
                run[PageHeader.SizeOf] ^= 1;
                break;
            case Damage.LastByte:
                run[PageHeader.SizeOf + RunStorage.RunBytes - 1] ^= 128;
                break;
            case Damage.BehindTheValue:
                run[^1] ^= 1;
                break;
            case Damage.ZeroPage:
                run.AsSpan(5 * Page.Size, Page.Size).Clear();
                break;
            case Damage.OlderRunOfThePlace:
                run = _older;
                break;
            case Damage.RunOfAnotherPlace:
                run = Read(FindOther(place), RunStorage.RunPages);
                break;
            default:
                run.AsSpan().Clear();
                break;
        }

        Write(place, run);
    }

    /// <summary>The place of the run under key 1.</summary>
    private PageNumber FindOther(PageNumber place)
    {
        using StorageEnvironment storage = StorageEnvironment.Open(
            _runs.Platform.Crash(new CrashOptions { Retention = CrashRetention.All }), RunStorage.Path, RunStorage.Options);
        using ReadTransaction read = storage.BeginRead();
        Assert.True(read.Trees.FindTree("parts"u8)!.TryGetRun(RunStorage.KeyOf(1), out PageNumber first, out _));
        Assert.NotEqual(place, first);
        return first;
    }

    private byte[] Read(PageNumber place, int pages)
    {
        using PalFile file = _runs.Platform.OpenFile(RunStorage.DataPath, FileOpening.Existing, FileUse.ReadOnly);
        byte[] bytes = new byte[pages * Page.Size];
        fixed (byte* first = bytes)
        {
            Assert.Equal(bytes.Length, file.Read(place.Offset, first, bytes.Length));
        }

        return bytes;
    }

    private byte[] ReadAll(string path)
    {
        using PalFile file = _runs.Platform.OpenFile(path, FileOpening.Existing, FileUse.ReadOnly);
        byte[] bytes = new byte[file.GetLength()];
        fixed (byte* first = bytes)
        {
            file.Read(0, first, bytes.Length);
        }

        return bytes;
    }

    private void Write(PageNumber place, byte[] bytes)
    {
        using PalFile file = _runs.Platform.OpenFile(RunStorage.DataPath, FileOpening.Existing, FileUse.Data);
        fixed (byte* first = bytes)
        {
            var write = new PalPageWrite { Base = first, Offset = place.Offset, Length = bytes.Length };
            file.WritePages(new ReadOnlySpan<PalPageWrite>(in write));
        }
    }
}
