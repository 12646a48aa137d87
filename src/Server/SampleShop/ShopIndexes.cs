namespace Jackdaw.Server.SampleShop;

/// <summary>The definitions of the indexes of the sample shop, as a client would send them.</summary>
internal static class ShopIndexes
{
    /// <summary>A list of definitions in JSON.</summary>
    public const string Definitions =
        """
        [
          {
            "Name": "Orders/Totals",
            "Maps": [
              "from order in docs.Orders select new { order.Employee, order.Company, order.OrderedAt, Total = order.Lines.Sum(line => line.Quantity * line.PricePerUnit * (1 - line.Discount)) }"
            ],
            "Fields": { "Total": { "Storage": "Yes" } }
          },
          {
            "Name": "Orders/ByCompany",
            "Maps": [
              "from order in docs.Orders select new { order.Company, Count = 1, Total = order.Lines.Sum(line => line.Quantity * line.PricePerUnit * (1 - line.Discount)) }"
            ],
            "Reduce": "from result in results group result by result.Company into g select new { Company = g.Key, Count = g.Sum(x => x.Count), Total = g.Sum(x => x.Total) }"
          },
          {
            "Name": "Orders/ByShipment/Location",
            "Maps": [
              "from order in docs.Orders where order.ShipTo.Location != null select new { order.Employee, order.Company, ShipmentLocation = CreateSpatialField(order.ShipTo.Location.Latitude, order.ShipTo.Location.Longitude) }"
            ]
          },
          {
            "Name": "Products/Search",
            "Maps": [
              "from product in docs.Products let category = LoadDocument(product.Category, \"Categories\") select new { product.Name, product.PricePerUnit, product.Discontinued, Category = category.Name }"
            ],
            "Fields": { "Name": { "Indexing": "Search", "Storage": "Yes", "TermVector": "WithPositionsAndOffsets", "Suggestions": true } }
          }
        ]
        """;
}
