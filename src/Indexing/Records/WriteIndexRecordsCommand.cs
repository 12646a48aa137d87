using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Indexing.Records;

/// <summary>Writes and removes records of indexes, in one transaction.</summary>
/// <remarks>The caller has a gate around reading the records and writing them, so nothing is demanded here.</remarks>
/// <param name="removed">Names; one that is not there is no mistake.</param>
/// <param name="written">Take the place of records with the same names.</param>
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
