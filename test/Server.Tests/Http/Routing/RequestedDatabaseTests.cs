using Jackdaw.Documents.Databases;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Tests.Http.Routing;

public sealed class RequestedDatabaseTests
{
    [Fact]
    public void ToProblem_DatabaseWhoseFilesAreInUse_SaysToTryAgain()
    {
        var inUse = new DatabaseLookup(DatabaseLookupStatus.Idle, null, "its files are in use by somebody else");

        Problem problem = RequestedDatabase.ToProblem(inUse, "shop")!;

        Assert.Equal((503, true), (problem.Status, problem.RetryLater));
        Assert.Contains("somebody else", problem.Message, StringComparison.Ordinal);
    }
}
