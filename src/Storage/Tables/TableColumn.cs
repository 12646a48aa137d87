namespace Jackdaw.Storage.Tables;

/// <summary>A column of a table.</summary>
/// <param name="Name">For messages.</param>
/// <param name="FixedBytes">Bytes of a fixed-width column, 0 = any length. Fixed columns stand first in a row, so that
/// the writer thread can fill them in a row that was prepared before.</param>
public sealed record TableColumn(string Name, int FixedBytes = 0);
