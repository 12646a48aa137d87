using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using Jackdaw.Storage;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Server.SelfTest;

/// <summary>Writes the records of the self test, and checks that a storage has all of them.</summary>
/// <remarks>A record is two entries of one transaction: its value under "writer/number" in <c>records</c> and the
/// writer's last number in <c>last</c>. Records older than <see cref="KeptRecords"/> are deleted by the same
/// transaction, so that pages are freed and reused. Values are computed from writer and number, so a reader knows what must be stored.</remarks>
internal static class SelfTestRecords
{
    /// <summary>The number of records that each writer keeps.</summary>
    public const int KeptRecords = 300;

    /// <summary>One in this many values needs pages of its own.</summary>
    private const int LargeEvery = 50;

    private const int LargeBytesMax = 60_000;
    private const int SmallBytesMax = 700;

    /// <summary>Options with limits so small that flush, sync and the recycling of journals never stop.</summary>
    public static StorageOptions Options() => new()
    {
        JournalFileBytes = 128 << 10,
        FlushAtScratchBytes = 512 << 10,
        FlushAtJournalBytes = 256 << 10,
        IdleFlushMs = 5,
        Time = new LeapingClock(),
    };

    /// <summary>Writes a record and drops an old one.</summary>
    public static void Put(WriteTransaction transaction, int writer, long number)
    {
        BTree records = transaction.Trees.CreateTree("records");
        records.Put(KeyOf(writer, number), MakeValue(writer, number));
        records.Delete(KeyOf(writer, number - KeptRecords));
        Span<byte> last = transaction.Trees.CreateTree("last").Reserve([(byte)writer], sizeof(long));
        BinaryPrimitives.WriteInt64LittleEndian(last, number);
    }

    /// <summary>The last number of a writer; 0 when there is none.</summary>
    public static long ReadLast(ReadTransaction transaction, int writer)
    {
        BTree? tree = transaction.Trees.FindTree("last");
        return tree is not null && tree.TryGet([(byte)writer], out ReadOnlySpan<byte> value)
            ? BinaryPrimitives.ReadInt64LittleEndian(value)
            : 0;
    }

    /// <summary>The first difference from the result of whole transactions; null when there is none.</summary>
    public static string? FindDamage(ReadTransaction transaction, int writers)
    {
        BTree? records = transaction.Trees.FindTree("records");
        long expected = 0;
        for (int writer = 0; writer < writers; writer++)
        {
            long last = ReadLast(transaction, writer);
            for (long number = Math.Max(1, last - KeptRecords + 1); number <= last; number++, expected++)
            {
                if (records is null || !records.TryGet(KeyOf(writer, number), out ReadOnlySpan<byte> value) ||
                    !value.SequenceEqual(MakeValue(writer, number)))
                {
                    return $"record {writer}/{number} is missing or wrong; the writer's last is {last}";
                }
            }
        }

        long found = records?.EntryCount ?? 0;
        return found == expected ? null : $"{found} records instead of {expected}";
    }

    private static byte[] KeyOf(int writer, long number) =>
        Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{writer}/{number:D12}"));

    // Random bytes: they cannot be compressed, and no two records have the same value.
    private static byte[] MakeValue(int writer, long number)
    {
        var random = new Random(HashCode(writer, number));
        byte[] value = new byte[random.Next(number % LargeEvery == 0 ? LargeBytesMax : SmallBytesMax) + 1];
        random.NextBytes(value);
        return value;
    }

    // System.HashCode cannot be used, because parent and child must compute the same value.
    private static int HashCode(int writer, long number) => unchecked((int)(number * 31) + writer) & int.MaxValue;
}
