using Jackdaw.Server.Documents;
using Jackdaw.Server.Tests.Http.Memory;

namespace Jackdaw.Server.Tests.Documents.Storage;

/// <summary>The double of the HTTP tests keeps the contract, so what those tests prove holds for the store.</summary>
public sealed class MemoryDatabaseContractTests : DatabaseContractTests
{
    protected override DocumentDatabase Database { get; } =
        new MemoryDatabase("db", new string('A', 22), new MemoryStore(TimeProvider.System), 1);
}
