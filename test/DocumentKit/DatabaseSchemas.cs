using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Tables;

namespace Jackdaw.DocumentKit;

/// <summary>The tables of a database, for those who check and compact its storage.</summary>
internal static class DatabaseSchemas
{
    public static IReadOnlyList<TableSchema> All { get; } =
    [
        DocumentTable.Schema, TombstoneTable.Schema, CompareExchangeTable.Schema, RevisionTable.Schema, .. StandardExtensions.All.Tables,
    ];
}
