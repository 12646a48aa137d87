using Microsoft.Extensions.ObjectPool;

namespace Jackdaw.Server.Documents.Storage;

/// <summary>Makes batches for the pool of one database.</summary>
internal sealed class BatchCommandPolicy(DocumentWriter writer) : PooledObjectPolicy<BatchCommand>
{
    public override BatchCommand Create() => new(writer);

    public override bool Return(BatchCommand obj) => true;
}
