using Jackdaw.Client.Conventions;

namespace Jackdaw.Client.Tests;

public sealed class EnglishPluralTests
{
    [Theory]
    [InlineData("User", "Users")]
    [InlineData("Company", "Companies")]
    [InlineData("Day", "Days")]
    [InlineData("Address", "Addresses")]
    [InlineData("Bus", "Buses")]
    [InlineData("Box", "Boxes")]
    [InlineData("Person", "People")]
    [InlineData("SalesPerson", "SalesPeople")]
    [InlineData("Users", "Users")]
    [InlineData("News", "News")]
    [InlineData("Analysis", "Analyses")]
    [InlineData("PageOfUser", "PageOfUsers")]
    [InlineData("Status", "Statuses")]
    public void Of_Name_IsItsPlural(string name, string plural) => Assert.Equal(plural, EnglishPlural.Of(name));
}
