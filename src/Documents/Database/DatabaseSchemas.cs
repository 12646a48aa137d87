using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Database;

/// <summary>The tables that the storage of a database may have, for code that checks or compacts it.</summary>
internal static class DatabaseSchemas
{
    /// <summary>With the extensions that the product has.</summary>
    public static IReadOnlyList<TableSchema> Standard { get; } = Of(StandardExtensions.All);

    /// <param name="extensions">What documents can have besides their text.</param>
    public static IReadOnlyList<TableSchema> Of(DocumentExtensions extensions) =>
        [DocumentTable.Schema, TombstoneTable.Schema, CompareExchangeTable.Schema, RevisionTable.Schema, .. extensions.Tables];
}
