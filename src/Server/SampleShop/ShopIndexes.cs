using System.Text.Json.Nodes;

namespace Jackdaw.Server.SampleShop;

/// <summary>The definitions of the indexes of the sample shop, as a client would send them.</summary>
internal static class ShopIndexes
{
    private const string Totals =
        """
        from order in docs.Orders
        select new
        {
            order.Employee, order.Company, order.OrderedAt,
            Total = order.Lines.Sum(line => line.Quantity * line.PricePerUnit * (1 - line.Discount))
        }
        """;

    private const string ByCompany =
        """
        from order in docs.Orders
        select new
        {
            order.Company, Count = 1,
            Total = order.Lines.Sum(line => line.Quantity * line.PricePerUnit * (1 - line.Discount))
        }
        """;

    private const string ByCompanyReduce =
        """
        from result in results
        group result by result.Company into g
        select new { Company = g.Key, Count = g.Sum(x => x.Count), Total = g.Sum(x => x.Total) }
        """;

    private const string ByShipment =
        """
        from order in docs.Orders
        where order.ShipTo.Location != null
        select new
        {
            order.Employee, order.Company,
            ShipmentLocation = CreateSpatialField(order.ShipTo.Location.Latitude, order.ShipTo.Location.Longitude)
        }
        """;

    private const string ProductSearch =
        """
        from product in docs.Products
        let category = LoadDocument(product.Category, "Categories")
        select new { product.Name, product.PricePerUnit, product.Discontinued, Category = category.Name }
        """;

    /// <summary>The definitions in JSON.</summary>
    public static IReadOnlyList<JsonObject> MakeAll()
    {
        JsonObject totals = Define("Orders/Totals", Totals);
        totals["Fields"] = new JsonObject { ["Total"] = new JsonObject { ["Storage"] = "Yes" } };
        JsonObject byCompany = Define("Orders/ByCompany", ByCompany);
        byCompany["Reduce"] = ByCompanyReduce;
        JsonObject search = Define("Products/Search", ProductSearch);
        search["Fields"] = new JsonObject
        {
            ["Name"] = new JsonObject
            {
                ["Indexing"] = "Search",
                ["Storage"] = "Yes",
                ["TermVector"] = "WithPositionsAndOffsets",
                ["Suggestions"] = true,
            },
        };
        return [totals, byCompany, Define("Orders/ByShipment/Location", ByShipment), search];
    }

    private static JsonObject Define(string name, string map) => new() { ["Name"] = name, ["Maps"] = new JsonArray(map) };
}
