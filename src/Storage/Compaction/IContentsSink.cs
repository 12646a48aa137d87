using Jackdaw.Storage.Tables;

namespace Jackdaw.Storage.Compaction;

/// <summary>Receives the contents of a storage from <see cref="ContentsWalk"/>, collection by collection.</summary>
internal interface IContentsSink
{
    /// <summary>A B+tree begins; <see cref="Put"/> follows for each entry.</summary>
    void BeginTree(ReadOnlySpan<byte> name);

    /// <summary>An entry of the tree, in the order of the keys.</summary>
    void Put(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value);

    /// <summary>A tree of numbers begins; <see cref="PutNumber"/> follows for each entry.</summary>
    void BeginNumbers(ReadOnlySpan<byte> name);

    /// <summary>An entry of the tree of numbers, in the order of the keys.</summary>
    void PutNumber(long key, long value);

    /// <summary>A column begins; <see cref="PutPage"/> follows for each page.</summary>
    void BeginColumn(ReadOnlySpan<byte> name, int recordSize);

    /// <summary>The body of the next page of the column.</summary>
    void PutPage(ReadOnlySpan<byte> body);

    /// <summary>A table begins; <see cref="PutRow"/> follows for each row.</summary>
    void BeginTable(TableSchema schema);

    /// <summary>A row of the table, in the order of its first number index, else of its primary key.</summary>
    void PutRow(ReadOnlySpan<byte> row);
}
