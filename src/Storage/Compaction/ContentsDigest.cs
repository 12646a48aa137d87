using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Compaction;

/// <summary>A sum over all contents of a storage: two storages with different contents have the same sum with a
/// probability of 2^-64.</summary>
internal sealed class ContentsDigest : IContentsSink
{
    private ulong _collection;

    private ContentsDigest()
    {
    }

    private ulong Sum { get; set; }

    private long Entries { get; set; }

    /// <summary>Reads everything.</summary>
    /// <returns>The sum, and the number of entries.</returns>
    public static (ulong Sum, long Entries) Compute(ReadTransaction transaction, IReadOnlyCollection<TableSchema> schemas)
    {
        var digest = new ContentsDigest();
        ContentsWalk.Run(transaction, schemas, digest);
        return (digest.Sum, digest.Entries);
    }

    public void BeginTree(ReadOnlySpan<byte> name) => Begin(name, 1);

    public void Put(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value) =>
        Add(Checksum.Compute(value, Checksum.Compute(key, _collection)));

    public void BeginNumbers(ReadOnlySpan<byte> name) => Begin(name, 2);

    public void PutNumber(long key, long value) =>
        Add(Checksum.Compute(BitConverter.GetBytes(value), Checksum.Compute(BitConverter.GetBytes(key), _collection)));

    public void BeginColumn(ReadOnlySpan<byte> name, int recordSize) => Begin(name, 4 + ((ulong)recordSize << 8));

    public void PutPage(ReadOnlySpan<byte> body) => Add(Checksum.Compute(body, _collection));

    public void BeginTable(TableSchema schema) => Begin(schema.NameBytes, 3);

    public void PutRow(ReadOnlySpan<byte> row) => Add(Checksum.Compute(row, _collection));

    /// <summary>Empty trees count too; the walk leaves out tables without rows.</summary>
    private void Begin(ReadOnlySpan<byte> name, ulong kind)
    {
        _collection = Checksum.Compute(name, kind);
        Sum += _collection;
    }

    private void Add(ulong entry)
    {
        // A sum of equal terms must not depend on their count alone: each is mixed with its place.
        Sum = (Sum * 0x9E3779B97F4A7C15) + entry;
        Entries++;
    }
}
