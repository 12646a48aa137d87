using Jackdaw.Documents.Callers;
using Jackdaw.Security.Callers;

namespace Jackdaw.Security.Tests.Callers;

public class StrangerCallerTests
{
    [Fact]
    public void May_EachAccess_OnlyWhatEverybodyMay()
    {
        foreach (Access access in Enum.GetValues<Access>())
        {
            Assert.Equal(access == Access.Anonymous, StrangerCaller.Instance.May(access, ""));
            Assert.Equal(access == Access.Anonymous, StrangerCaller.Instance.May(access, "Orders"));
        }
    }

    [Fact]
    public void Demand_NoCertificate_SaysHowToPresentOne()
    {
        AccessDeniedException refused = Assert.Throws<AccessDeniedException>(
            () => StrangerCaller.Instance.Demand(Access.Read, "Orders", "GET /databases/{database}/docs"));
        Assert.StartsWith(
            "GET /databases/{database}/docs needs the access Read to database 'Orders', and the request came without a client certificate.",
            refused.Message, StringComparison.Ordinal);
        Assert.Contains("BEGIN RSA PRIVATE KEY", refused.Message, StringComparison.Ordinal);
        Assert.EndsWith("jackdaw cert create --name=NAME --clearance=ValidUser --database=Orders:Read", refused.Message, StringComparison.Ordinal);
    }
}
