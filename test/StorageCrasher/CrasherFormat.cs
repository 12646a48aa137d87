using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.TestKit;

namespace Jackdaw.StorageCrasher;

/// <summary>What the crasher writes and how it is checked; shared with the test that kills it.</summary>
/// <remarks>A record is three entries of one transaction: the value under "writer/number" in <c>records</c>, its checksum under
/// the same key in <c>sums</c>, and the writer's last number in <c>last</c>. Records older than
/// <see cref="KeptRecords"/> are deleted by the same transaction, so that pages are freed and used again.</remarks>
public static class CrasherFormat
{
    /// <summary>Writers of the child process.</summary>
    public const int WriterCount = 4;

    /// <summary>Records that each writer keeps.</summary>
    public const int KeptRecords = 200;

    private const int LargeEvery = 50;

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
    public static void Put(WriteTransaction transaction, int writer, long number)
    {
        byte[] key = KeyOf(writer, number);
        byte[] value = MakeValue(writer, number);
        transaction.Trees.CreateTree("records").Put(key, value);
        Span<byte> sum = transaction.Trees.CreateTree("sums").Reserve(key, sizeof(ulong));
        BinaryPrimitives.WriteUInt64LittleEndian(sum, Checksum.Compute(value, (ulong)number));
        Span<byte> last = transaction.Trees.CreateTree("last").Reserve([(byte)writer], sizeof(long));
        BinaryPrimitives.WriteInt64LittleEndian(last, number);
        byte[] old = KeyOf(writer, number - KeptRecords);
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
    public static string? FindDamage(ReadTransaction transaction)
    {
        BTree? records = transaction.Trees.FindTree("records");
        BTree? sums = transaction.Trees.FindTree("sums");
        long expected = 0;
        for (int writer = 0; writer < WriterCount; writer++)
        {
            long last = ReadLast(transaction, writer);
            for (long number = Math.Max(1, last - KeptRecords + 1); number <= last; number++, expected++)
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

    private static byte[] KeyOf(int writer, long number) =>
        Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{writer}/{number:D12}"));

    private static byte[] MakeValue(int writer, long number)
    {
        int length = number % LargeEvery == 0 ? (int)(number * 7919 % 60_000) : (int)(number * 31 % 700);
        byte[] value = new byte[length + 1];
        value.AsSpan().Fill((byte)(number + writer));
        return value;
    }
}
