using System.Diagnostics;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.SelfTest;

/// <summary>Flips single bits of a storage's files, one at a time: reading must give an error or the right
/// data.</summary>
/// <remarks>One case is neither: damage in the last entry of the journal, or in its file's header when it is the only
/// entry there, cannot be distinguished from a write that a crash cut off. Then the complete state of the transaction before is
/// accepted and counted.</remarks>
internal sealed class BitFlipTest(string folder, int seed) : SelfTestStage(folder, seed)
{
    /// <summary>The number of records. The last one is small, because damage to it cannot be distinguished from a write that was cut off.</summary>
    private const int Records = 1210;

    /// <summary>The records that are in the journals only.</summary>
    private const int JournalRecords = 200;

    /// <summary>The number of flips after which the undamaged files are read. If they are not right, the test itself is at fault.</summary>
    private const int FlipsPerControl = 200;

    private readonly Random _random = new(seed);
    private int _reported;
    private int _harmless;
    private int _shortened;

    private enum Outcome
    {
        Reported,
        Right,
        Shortened,
    }

    public override string Name => "bit flips";

    public override string Activity => "Flipping bits in files";

    public override double Share => 0.25;

    public override Finding Run(TimeSpan time, CancellationToken cancellationToken)
    {
        MakeStorage();
        string[] files = [.. Directory.EnumerateFiles(Folder, "*", SearchOption.AllDirectories)
            .Where(path => new FileInfo(path).Length > 0 && Path.GetFileName(path) != "lock").Order(StringComparer.Ordinal)];
        long started = Stopwatch.GetTimestamp();
        int flips = 0;
        do
        {
            cancellationToken.ThrowIfCancellationRequested();
            string? problem = flips % FlipsPerControl == 0 ? ReadUndamaged() : null;
            problem ??= FlipOne(files[_random.Next(files.Length)]);
            flips++;
            if (problem is not null)
            {
                return Failed(
                    $"flip {flips}: {problem}",
                    "Damaged data was read as if it were right. This is a fault of the program, not of your disk: report it with the seed.");
            }
        }
        while (Stopwatch.GetElapsedTime(started) < time);
        string shortened = _shortened == 0 ? "" : $", {_shortened} taken for a write that a crash cut off (the last transaction)";
        return Passed($"{flips:N0} bits: {_reported:N0} reported, {_harmless:N0} healed or not in use{shortened}, 0 wrong data");
    }

    // Half of what is stored is in the data file, the rest in journals that must be replayed.
    private void MakeStorage()
    {
        using (StorageEnvironment storage = StorageEnvironment.Open(Platform, Folder, Options()))
        {
            Write(storage, 1, Records - JournalRecords);
        }

        StorageEnvironment killed = StorageEnvironment.Open(Platform, Folder, Options());
        try
        {
            Write(killed, Records - JournalRecords + 1, Records);
        }
        finally
        {
            killed.Abandon();
        }
    }

    private static StorageOptions Options() => SelfTestRecords.Options() with { BackgroundFlush = false };

    private static void Write(StorageEnvironment storage, long first, long last)
    {
        for (long number = first; number <= last; number++)
        {
            using WriteTransaction transaction = storage.BeginWrite();
            SelfTestRecords.Put(transaction, 0, number);
            transaction.Commit();
        }
    }

    private string? ReadUndamaged() => Read(out string? problem) == Outcome.Right && problem is null
        ? null
        : $"the files are not right without a flip ({problem ?? "an error"})";

    private string? FlipOne(string path)
    {
        long length = new FileInfo(path).Length;

        // Files are longer than their contents, because they are prepared; so every second flip goes to their beginnings.
        long offset = _random.NextInt64(_random.Next(2) == 0 ? length : Math.Min(length, 64 << 10));
        int bit = _random.Next(8);
        Flip(path, offset, bit);
        Outcome outcome;
        string? problem;
        try
        {
            outcome = Read(out problem);
        }
        finally
        {
            Flip(path, offset, bit);
        }

        _reported += outcome == Outcome.Reported ? 1 : 0;
        _harmless += outcome == Outcome.Right ? 1 : 0;
        _shortened += outcome == Outcome.Shortened ? 1 : 0;
        return problem is null ? null : $"bit {bit} of byte {offset} of {Path.GetFileName(path)}: {problem}";
    }

    private static void Flip(string path, long offset, int bit)
    {
        using FileStream file = File.Open(path, FileMode.Open, FileAccess.ReadWrite);
        file.Position = offset;
        int value = file.ReadByte();
        file.Position = offset;
        file.WriteByte((byte)(value ^ (1 << bit)));
    }

    /// <param name="problem">The problem; null when the outcome is good.</param>
    private Outcome Read(out string? problem)
    {
        problem = null;
        StorageEnvironment? storage = null;
        try
        {
            storage = StorageEnvironment.Open(Platform, Folder, Options());
            using ReadTransaction read = storage.BeginRead();
            problem = SelfTestRecords.FindDamage(read, writers: 1);
            long last = SelfTestRecords.ReadLast(read, 0);
            problem ??= last is Records or Records - 1 ? null : $"the last record is {last} instead of {Records}";
            return last == Records ? Outcome.Right : Outcome.Shortened;
        }
        catch (Exception error) when (error is CorruptionException or IOException or NotSupportedException)
        {
            return Outcome.Reported;
        }
        finally
        {
            storage?.Abandon();
        }
    }
}
