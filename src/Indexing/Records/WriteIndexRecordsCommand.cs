using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Indexing.Records;

/// <summary>Writes and removes records of indexes, in one transaction.</summary>
/// <remarks>The caller reads and writes the records under the gate of the index catalog, so nothing is checked here.</remarks>
/// <param name="removed">Names. A name that no record has is ignored.</param>
/// <param name="written">They replace records with the same names.</param>
internal sealed class WriteIndexRecordsCommand(IReadOnlyList<string> removed, IReadOnlyList<IndexRecord> written) : DocumentCommand
{
    private readonly byte[][] _removed = [.. removed.Select(IndexRecord.KeyOf)];
    private readonly byte[][] _written = [.. written.Select(IndexRecordTable.BuildRow)];

    internal override int SizeBytes => FixedBytes + _written.Sum(row => row.Length);

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        Table records = IndexRecordTable.Open(documents);
        foreach (byte[] key in _removed)
        {
            records.DeleteByKey(key);
        }

        foreach (byte[] row in _written)
        {
            records.Upsert(row);
        }

        return WriteStatus.Applied;
    }
}
