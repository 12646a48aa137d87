using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Rows;

/// <summary>Removes tombstones that every holder has passed.</summary>
internal sealed partial class DocumentTransaction
{
    /// <summary>Removes the oldest tombstones. This takes no etag.</summary>
    /// <param name="upTo">The etag of the last tombstone that may be removed.</param>
    /// <param name="tombstonesMax">The most tombstones that are removed.</param>
    public void TrimTombstones(Etag upTo, int tombstonesMax)
    {
        Etag trimmed = Etag.None;
        for (int i = 0; i < tombstonesMax; i++)
        {
            TableNumberCursor cursor = Tombstones.OpenNumbers(TombstoneTable.ByEtag); // opened again, because a change makes the cursor invalid
            if (!cursor.SeekFirst() || cursor.Number > upTo.Value)
            {
                break;
            }

            TableRow row = cursor.Row;
            var tombstone = new Tombstone(row);
            trimmed = tombstone.Etag;
            _ledger.AddTombstones(row.GetColumn(TombstoneTable.CollectionKeyColumn), tombstone.Collection, -row.Bytes.Length);
            Tombstones.Delete(row);
        }

        if (trimmed != Etag.None)
        {
            _ledger.NoteTrimmed(trimmed);
        }
    }
}
