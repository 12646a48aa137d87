namespace Jackdaw.Server.Documents.Operations;

/// <summary>How far a bulk insert, or a change of all results of a query, has come.</summary>
/// <param name="Documents">Documents whose batch is durable.</param>
/// <param name="Batches">Durable batches.</param>
/// <param name="LastId">Id of the last durable document, as the client sent it; null before the first.</param>
public readonly record struct BulkInsertCounts(long Documents, long Batches, string? LastId)
{
    /// <summary>Documents that will be looked at, as far as that is known before; 0 when it is not.</summary>
    public long Total { get; init; }
}
