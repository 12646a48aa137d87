using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using Jackdaw.Server.Documents.Json;
using Jackdaw.Storage;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Server.Documents.Storage;

/// <summary>Rows of the puts of one batch, built on the request's thread in pooled memory.</summary>
/// <remarks>A batch of one keeps the row in the builder that made it; of several each row is copied behind the
/// others.</remarks>
[SuppressMessage("Design", "CA1001",
    Justification = "Lives in a pool until the database is closed; the small buffers it then holds are the collector's.")]
internal sealed class PreparedRows
{
    /// <summary>Buffers kept for the next batch. Bytes; above it one large batch would pin its memory in an idle
    /// object.</summary>
    private const int KeptBytesMax = 64 * 1024;

    /// <summary>Rows kept for the next batch: more would pin the memory of one large batch, and each later use would clear it
    /// again.</summary>
    private const int KeptRowsMax = 1024;

    private TableRowBuilder _builder = new(DocumentTable.Schema);
    private Memory<byte>[] _rows = new Memory<byte>[1];
    private byte[] _shared = [];

    /// <summary>Bytes of all rows.</summary>
    public int Bytes { get; private set; }

    /// <summary>The row of a put; empty for other commands, and for puts whose id the writer completes.</summary>
    public Memory<byte> this[int command] => _rows[command];

    public static bool IsCompletedByWriter(in WriteCommand command) =>
        command.Kind == WriteCommandKind.Put && DocumentIds.KindOf(command.Id.Span) != DocumentIdKind.Complete;

    private static bool HasRow(in WriteCommand command) => command.Kind == WriteCommandKind.Put && !IsCompletedByWriter(command);

    public void Prepare(ReadOnlySpan<WriteCommand> commands)
    {
        if (_rows.Length < commands.Length)
        {
            _rows = new Memory<byte>[commands.Length];
        }

        Bytes = 0;
        int used = 0;
        bool isShared = commands.Length > 1;
        if (isShared)
        {
            _shared = ByteArrays.Rent(Bound(commands));
        }

        for (int i = 0; i < commands.Length; i++)
        {
            ref readonly WriteCommand command = ref commands[i];
            _rows[i] = default;
            Bytes += command.Body.Length + DocumentRowBuilding.FixedBytesMax;
            if (HasRow(command))
            {
                Memory<byte> row = DocumentRowBuilding.Build(_builder, command.Key.Span, command.Id.Span, command);
                _rows[i] = isShared ? Share(row, ref used) : row;
            }
        }
    }

    /// <summary>Gives large buffers back; the rows are gone.</summary>
    public void Clear()
    {
        if (_shared.Length > 0)
        {
            ByteArrays.Return(_shared);
            _shared = [];
        }

        if (_rows.Length > KeptRowsMax)
        {
            _rows = new Memory<byte>[1];
        }
        else
        {
            Array.Clear(_rows);
        }

        if (_builder.DataBytes > KeptBytesMax)
        {
            _builder.Dispose();
            _builder = new TableRowBuilder(DocumentTable.Schema);
        }
    }

    private static int Bound(ReadOnlySpan<WriteCommand> commands)
    {
        long bytes = 0;
        foreach (ref readonly WriteCommand command in commands)
        {
            if (HasRow(command))
            {
                bytes += DocumentRowBuilding.FixedBytesMax + command.Body.Length + command.Key.Length + command.Id.Length +
                    command.Collection.Length + DocumentRowBuilding.CollectionKeyBound(command.Collection.Length);
            }
        }

        return checked((int)bytes);
    }

    private Memory<byte> Share(Memory<byte> row, ref int used)
    {
        Debug.Assert(used + row.Length <= _shared.Length);
        Memory<byte> place = _shared.AsMemory(used, row.Length);
        row.CopyTo(place);
        used += row.Length;
        return place;
    }
}
