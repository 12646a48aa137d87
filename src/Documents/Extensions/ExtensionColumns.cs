using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Extensions;

/// <summary>The columns in which rows of documents and of revisions show extensions: one for each slot, at the end of a row.</summary>
/// <remarks>Empty columns at the end of a row are not stored. The columns of slots 3 to 7 are for future extensions; no row has them yet. The first version of
/// this program that registers such an extension raises the format version of databases, because older ones would find its rows damaged.</remarks>
internal static class ExtensionColumns
{
    private static readonly string[] s_names =
        ["attachments", "counters", "time series", "extension 3", "extension 4", "extension 5", "extension 6", "extension 7"];

    /// <summary>The columns in the order of their slots.</summary>
    /// <param name="since">The version of the table's schema.</param>
    public static IEnumerable<TableColumn> Make(int since) =>
        s_names.Select(name => new TableColumn(name) { Default = ReadOnlyMemory<byte>.Empty, Since = since });
}
