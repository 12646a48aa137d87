using System.Text;
using Jackdaw.Queries.Searching;

namespace Jackdaw.Queries.Comparison;

/// <summary>What a query finds with one engine, in its order: keys of documents, or rows that the index makes. One thread.</summary>
internal sealed class FoundRows
{
    /// <summary>Rows that are kept; some 30 MB of ids.</summary>
    public const int RowsMax = 200_000;

    /// <summary>Bytes of rows that are kept, for rows that are not ids.</summary>
    private const long BytesMax = 64L << 20;

    private readonly List<string> _rows = [];
    private long _bytes;

    /// <summary>In the order of the answer.</summary>
    public IReadOnlyList<string> Rows => _rows;

    /// <summary>The number of entries that match.</summary>
    public long Total { get; private set; }

    /// <summary>Whether rows are documents, so that each is the key of one.</summary>
    public bool AreDocuments { get; private set; } = true;

    /// <summary>Whether there are more rows than are kept. Then rows that are missing prove nothing.</summary>
    public bool IsCut { get; private set; }

    public void Add(HitPage page, IndexAnswer answer)
    {
        Total = answer.Total;
        AreDocuments = !answer.HasRows;
        for (int i = 0; i < page.Keys.Count; i++)
        {
            byte[] row = answer.HasRows ? page.Stored[i].Row : page.Keys[i];
            _bytes += row.Length;
            if (_rows.Count == RowsMax || _bytes > BytesMax)
            {
                IsCut = true;
                return;
            }

            _rows.Add(Encoding.UTF8.GetString(row));
        }
    }
}
