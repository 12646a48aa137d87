using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Revisions;

/// <summary>Keeps versions of the documents of one database as revisions.</summary>
/// <param name="read">Reads the current configuration; null when nothing is configured. Called on the writer's thread for each batch.</param>
internal sealed class RevisionKeeper(Func<RevisionsConfiguration?> read) : IRevisionKeeper
{
    /// <summary>The largest buffer, in bytes, that is kept between transactions; a larger one is returned to the pool.</summary>
    private const int CachedBytesMax = 256 * 1024;

    private TableRowBuilder? _rows;
    private RevisedExtension[]? _extensions; // writer's thread

    public bool IsConfigured => read() is not null;

    public RevisionsConfiguration? Configuration => read();

    /// <summary>The builder for rows of revisions; its next user clears it.</summary>
    public TableRowBuilder Rows
    {
        get
        {
            if (_rows?.DataBytes > CachedBytesMax)
            {
                _rows.Dispose();
                _rows = null;
            }

            return _rows ??= new TableRowBuilder(RevisionTable.Schema);
        }
    }

    /// <summary>The kinds of extensions that revisions keep. Those of one database are found once.</summary>
    public RevisedExtension[] ExtensionsOf(DocumentTransaction documents) => _extensions ??= documents.Extensions.Of<RevisedExtension>();

    public IRevisionWriter Begin(DocumentTransaction documents) => new RevisionWriter(this, documents);

    public void Dispose() => _rows?.Dispose();
}
