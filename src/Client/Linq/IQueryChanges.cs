using Jackdaw.Client.Operations;

namespace Jackdaw.Client.Linq;

/// <summary>Sends changes of all documents that a query finds.</summary>
internal interface IQueryChanges
{
    /// <summary>Begins the operation, and waits for its end.</summary>
    /// <returns>How many documents were found.</returns>
    ValueTask<long> ChangeAsync(DocumentOperation<Operation> operation, bool isAsync, CancellationToken token);
}
