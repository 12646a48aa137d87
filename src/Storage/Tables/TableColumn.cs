namespace Jackdaw.Storage.Tables;

/// <summary>A column of a table.</summary>
/// <param name="Name">For messages.</param>
/// <param name="FixedBytes">Bytes of a fixed-width column, 0 = any length. Fixed columns without a default are the
/// first ones of a row, so that the writer thread can fill them in a prepared row.</param>
public sealed record TableColumn(string Name, int FixedBytes = 0)
{
    /// <summary>Version of the schema that added the column, 1 or more. Never changed once a row was
    /// stored.</summary>
    public int Since { get; init; } = 1;

    /// <summary>What is read from rows without the column: those of older versions of the schema, and those whose value
    /// is this one. Null: every row has the column. Never changed once a row was stored.</summary>
    public ReadOnlyMemory<byte>? Default { get; init; }
}
