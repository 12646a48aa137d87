using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Commands;

/// <summary>Prepares the commands of one batch on the request's thread. It holds their database, and pooled memory.</summary>
/// <remarks>The row of a single command stays in the builder; the rows of several are copied one after the other into
/// shared memory.</remarks>
[SuppressMessage("Design", "CA1001",
    Justification = "Lives in a pool until the database is closed; the small buffers it then holds are garbage collected.")]
internal sealed class CommandPreparation
{
    /// <summary>The largest buffer, in bytes, that is kept for the next batch. A larger one would pin the memory of one large batch in an idle
    /// object.</summary>
    private const int CachedBytesMax = 64 * 1024;

    private TableRowBuilder _builder = new(DocumentTable.Schema);
    private INamedDatabase? _database;
    private byte[] _shared = [];
    private int _used;
    private bool _isShared;

    public INamedDatabase Database => _database!;

    /// <inheritdoc cref="WriteBatch.SkipUnchanged"/>
    public bool SkipsUnchanged { get; private set; }

    /// <summary>The bytes that the batch holds while it waits.</summary>
    public int SizeBytes { get; private set; }

    /// <summary>Prepares all commands of a batch.</summary>
    public void Prepare(WriteBatch batch, INamedDatabase database)
    {
        ReadOnlySpan<DocumentCommand> commands = batch.Commands.Span;
        _database = database;
        SkipsUnchanged = batch.SkipUnchanged;
        _used = 0;
        _isShared = commands.Length > 1;
        if (_isShared)
        {
            _shared = ByteArrays.Rent(Bound(commands));
        }

        int bytes = 0;
        foreach (DocumentCommand command in commands)
        {
            command.Prepare(this);
            bytes += command.SizeBytes;
        }

        SizeBytes = bytes;
    }

    /// <summary>Builds the row of a document, without the values that only the writer knows. Its memory is not reused before the batch has been
    /// answered.</summary>
    public Memory<byte> BuildRow(ReadOnlySpan<byte> key, ReadOnlySpan<byte> id, in ParsedDocument document)
    {
        Memory<byte> row = DocumentRowBuilding.Build(_builder, key, id, document);
        if (!_isShared)
        {
            return row;
        }

        Debug.Assert(_used + row.Length <= _shared.Length);
        Memory<byte> place = _shared.AsMemory(_used, row.Length);
        row.CopyTo(place);
        _used += row.Length;
        return place;
    }

    /// <summary>Returns large buffers to the pool; the rows are lost.</summary>
    public void Clear()
    {
        _database = null;
        if (_shared.Length > 0)
        {
            ByteArrays.Return(_shared);
            _shared = [];
        }

        if (_builder.DataBytes > CachedBytesMax)
        {
            _builder.Dispose();
            _builder = new TableRowBuilder(DocumentTable.Schema);
        }
    }

    private static int Bound(ReadOnlySpan<DocumentCommand> commands)
    {
        long bytes = 0;
        foreach (DocumentCommand command in commands)
        {
            bytes += command.SharedBytesMax;
        }

        return checked((int)bytes);
    }
}
