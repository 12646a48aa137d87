using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Nodes;
using Jackdaw.Server.SampleShop;

namespace Jackdaw.Server.Tests.SampleShop;

public sealed class ShopCatalogTests
{
    /// <summary>The hash of all documents. Tutorials print them, so that a change of one is a change for readers: change the number only on purpose.</summary>
    private const string Fingerprint = "1F72331CFD7B03F5";

    [Fact]
    public void MakeAll_AlwaysAndEverywhere_MakesTheSameDocuments()
    {
        IEnumerable<ShopDocument> documents = ShopCatalog.MakeAll().Concat(ShopOrders.MakeAll());
        string text = string.Join('\n', documents.Select(document => $"{document.Id} {document.Body.ToJsonString()}"));

        Assert.Equal(Fingerprint, Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(text)))[..16]);
    }

    [Theory]
    [InlineData("Companies", "Name")]
    [InlineData("Companies", "ExternalId")]
    [InlineData("Suppliers", "Name")]
    [InlineData("Products", "Name")]
    [InlineData("Employees", "LastName")]
    public void Names_OfOneCollection_AreAllDifferent(string collection, string member)
    {
        string[] names = [.. ShopCatalog.MakeAll().Where(document => document.Collection == collection).Select(document => (string)document.Body[member]!)];

        Assert.Equal(names.Distinct().Order(), names.Order());
    }

    [Fact]
    public void Orders_AllOfThem_ArePlausible()
    {
        DateTime last = default;
        foreach (JsonObject order in ShopOrders.MakeAll().Select(document => document.Body))
        {
            DateTime ordered = Date(order, "OrderedAt");
            Assert.True(ordered >= last && ordered.Year is >= 2022 and <= 2024, ordered.ToString("O"));
            Assert.True(order["ShippedAt"] is null || Date(order, "ShippedAt") > ordered);
            Assert.InRange((double)order["ShipTo"]!["Location"]!["Latitude"]!, -60, 75);
            Assert.InRange(order["Lines"]!.AsArray().Count, 1, 6);
            last = ordered;
        }

        Assert.Contains(ShopOrders.MakeAll(), order => order.Body["ShippedAt"] is null);
    }

    [Fact]
    public void Pictures_OfAll_ArePngs()
    {
        Assert.All(
            Enumerable.Range(1, 9).SelectMany(number => (byte[][])[ShopPictures.DrawPerson(number), ShopPictures.DrawPlate(number)]),
            picture => Assert.Equal("89504E470D0A1A0A", Convert.ToHexString(picture[..8])));
    }

    private static DateTime Date(JsonObject order, string member) => DateTime.Parse((string)order[member]!, CultureInfo.InvariantCulture);
}
