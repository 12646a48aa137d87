using Jackdaw.Documents.Callers;
using Jackdaw.Security.Callers;

namespace Jackdaw.Security.Tests.Callers;

public class GrantsTests
{
    /// <summary>The highest access that each clearance has where it has no permission, and where it has one.</summary>
    [Theory]
    [InlineData("ClusterNode", "Node", "Node")]
    [InlineData("ClusterAdmin", "ClusterAdmin", "ClusterAdmin")]
    [InlineData("Operator", "Operator", "Operator")]
    [InlineData("ValidUser", "ValidUser", "ReadWrite")]
    public void Include_EachAccess_UpToTheHighest(string clearance, string highestElsewhere, string highestThere)
    {
        var grants = new Grants(Enum.Parse<Clearance>(clearance), [new("Orders", DatabasePermission.ReadWrite)]);
        foreach (Access access in Enum.GetValues<Access>())
        {
            Assert.Equal(access <= Enum.Parse<Access>(highestElsewhere), grants.Include(access, "others"));
            Assert.Equal(access <= Enum.Parse<Access>(highestElsewhere), grants.Include(access, ""));
            Assert.Equal(access <= Enum.Parse<Access>(highestThere), grants.Include(access, "oRDERS"));
        }
    }
}
