namespace Jackdaw.Server.Queries.Execution;

/// <summary>What a query asks of an index: checked and ready.</summary>
internal interface IIndexSearch
{
    /// <summary>Asks the index; made if there is none that can answer.</summary>
    /// <param name="firstPatience">How long it waits for an index that is made for it now.</param>
    /// <param name="ended">Also ends the search of later pages.</param>
    /// <returns>What it found; the caller disposes it.</returns>
    ValueTask<IndexAnswer> RunAsync(TimeSpan firstPatience, CancellationToken ended);
}
