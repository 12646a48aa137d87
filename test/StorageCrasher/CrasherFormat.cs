using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using Jackdaw.Storage;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.TestKit;

namespace Jackdaw.StorageCrasher;

/// <summary>What the crasher writes and how it is checked; shared with the tests that end it.</summary>
/// <remarks>A record is three entries of one transaction: the value under "writer/number" in <c>records</c>, its checksum under
/// the same key in <c>sums</c>, and the writer's last number in <c>last</c>. Older records than those kept are deleted by the
/// same transaction, so that pages are freed and used again; every seventh value is a run that bypasses the journal. All follows
/// from the writer and its number: a storage equals its oracle when it has what belongs to the last numbers of its writers, and nothing else.</remarks>
public static class CrasherFormat
{
    /// <summary>Writers of one storage with a merger.</summary>
    public const int WriterCount = 4;

    /// <summary>Records that each writer of one storage keeps.</summary>
    public const int KeptRecords = 200;

    private const int LargeEvery = 50;

    /// <summary>Records from one direct run to the next.</summary>
    private const int DirectEvery = 7;

    /// <summary>Limits so small that flush, sync and the recycling of journals never stop.</summary>
    public static StorageOptions Options() => new()
    {
        JournalFileBytes = 128 * 1024,
        FlushAtScratchBytes = 512 * 1024,
        FlushAtJournalBytes = 256 * 1024,
        IdleFlushMs = 5,
        Time = new LeapingTime(),
    };

    /// <summary>Writes a record and drops an old one.</summary>
    /// <param name="transaction">Where.</param>
    /// <param name="writer">Who, 0 to 255.</param>
    /// <param name="number">Its next number, from 1.</param>
    /// <param name="kept">Records that the writer keeps.</param>
    public static void Put(WriteTransaction transaction, int writer, long number, int kept = KeptRecords)
    {
        byte[] key = KeyOf(writer, number);
        byte[] value = MakeValue(writer, number);
        PutValue(transaction, number, key, value);
        Span<byte> sum = transaction.Trees.CreateTree("sums").Reserve(key, sizeof(ulong));
        BinaryPrimitives.WriteUInt64LittleEndian(sum, Checksum.Compute(value, (ulong)number));
        Span<byte> last = transaction.Trees.CreateTree("last").Reserve([(byte)writer], sizeof(long));
        BinaryPrimitives.WriteInt64LittleEndian(last, number);
        byte[] old = KeyOf(writer, number - kept);
        transaction.Trees.CreateTree("records").Delete(old);
        transaction.Trees.CreateTree("sums").Delete(old);
    }

    /// <summary>Last number of a writer; 0 = none.</summary>
    public static long ReadLast(ReadTransaction transaction, int writer)
    {
        BTree? tree = transaction.Trees.FindTree("last");
        return tree is not null && tree.TryGet([(byte)writer], out ReadOnlySpan<byte> value)
            ? BinaryPrimitives.ReadInt64LittleEndian(value)
            : 0;
    }

    /// <summary>What is not as whole transactions left it; null = all is well.</summary>
    /// <param name="transaction">A snapshot of the storage.</param>
    /// <param name="firstWriter">First of the storage's writers.</param>
    /// <param name="writers">How many it has.</param>
    /// <param name="kept">Records that each keeps.</param>
    public static string? FindDamage(
        ReadTransaction transaction, int firstWriter = 0, int writers = WriterCount, int kept = KeptRecords)
    {
        BTree? records = transaction.Trees.FindTree("records");
        BTree? sums = transaction.Trees.FindTree("sums");
        long expected = 0;
        for (int writer = firstWriter; writer < firstWriter + writers; writer++)
        {
            long last = ReadLast(transaction, writer);
            for (long number = Math.Max(1, last - kept + 1); number <= last; number++, expected++)
            {
                byte[] key = KeyOf(writer, number);
                if (records is null || !records.TryGet(key, out ReadOnlySpan<byte> value) ||
                    !value.SequenceEqual(MakeValue(writer, number)))
                {
                    return $"record {writer}/{number} is missing or wrong; the writer's last is {last}";
                }

                if (sums is null || !sums.TryGet(key, out ReadOnlySpan<byte> sum) ||
                    BinaryPrimitives.ReadUInt64LittleEndian(sum) != Checksum.Compute(value, (ulong)number))
                {
                    return $"the checksum of record {writer}/{number} is missing or wrong";
                }
            }
        }

        long found = records?.EntryCount ?? 0;
        long foundSums = sums?.EntryCount ?? 0;
        return found == expected && foundSums == expected ? null : $"{found} records and {foundSums} sums, not {expected}";
    }

    /// <summary>Some values are runs that go to the data file at once, and of those some before the transaction ends.</summary>
    private static void PutValue(WriteTransaction transaction, long number, byte[] key, byte[] value)
    {
        BTree records = transaction.Trees.CreateTree("records");
        if (number % DirectEvery != 0)
        {
            records.Put(key, value);
            return;
        }

        value.CopyTo(records.ReserveDirectRun(key, value.Length, out _));
        if (number % 2 == 0)
        {
            transaction.WriteDirectRuns();
        }
    }

    private static byte[] KeyOf(int writer, long number) =>
        Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{writer}/{number:D12}"));

    private static byte[] MakeValue(int writer, long number)
    {
        int length = number % DirectEvery == 0 ? BTree.InlineValueBytesMax + (int)(number * 7919 % 40_000)
            : number % LargeEvery == 0 ? (int)(number * 7919 % 60_000)
            : (int)(number * 31 % 700);
        byte[] value = new byte[length + 1];
        if (number % 2 == 0)
        {
            value.AsSpan().Fill((byte)(number + writer));
        }
        else
        {
            // What does not compress, so that entries of all sizes come up.
            new Random(HashOf(writer, number)).NextBytes(value);
        }

        return value;
    }

    private static int HashOf(int writer, long number) => (int)((number * 1_000_003) ^ (writer * 7919));
}
