using System.Text.Json.Nodes;

namespace Jackdaw.Server.SampleShop;

/// <summary>The orders of the sample shop: three years of them, more in each year.</summary>
internal static class ShopOrders
{
    public const int Count = 830;

    /// <summary>The newest orders, which are not all shipped yet.</summary>
    private const int RecentCount = 60;

    private const int Days = 1_090;

    private static readonly DateTime s_first = new(2022, 1, 3);

    /// <summary>All orders, ordered by date.</summary>
    public static IEnumerable<ShopDocument> MakeAll()
    {
        var random = new ShopRandom(Count);
        for (int number = 1; number <= Count; number++)
        {
            yield return new ShopDocument("Orders", number, Make(number, random));
        }
    }

    /// <summary>The order as it was before it was shipped; null when it is not shipped.</summary>
    public static ShopDocument? BeforeShipping(ShopDocument order)
    {
        if (order.Body["ShippedAt"] is null)
        {
            return null;
        }

        var before = (JsonObject)order.Body.DeepClone();
        before["ShippedAt"] = null;
        before["Freight"] = 0;
        return order with { Body = before };
    }

    private static JsonObject Make(int number, ShopRandom random)
    {
        // Roots make the orders of the last year the most frequent, and they are exact on every machine, which powers are not.
        double root = Math.Sqrt((double)number / Count);
        DateTime ordered = s_first.AddDays(Math.Floor(root * Math.Sqrt(root) * Days));
        bool isShipped = number <= Count - RecentCount || random.Happens(65);
        int company = random.Happens(30) ? random.Between(1, 9) : random.Between(1, ShopCatalog.CompanyCount);
        ShopPlace place = random.Happens(94) ? ShopCatalog.PlaceOf(company) : random.Of(ShopPlaces.All);
        return new JsonObject
        {
            ["Company"] = ShopCatalog.IdOf("companies", company),
            ["Employee"] = ShopCatalog.IdOf("employees", random.Between(1, ShopCatalog.EmployeeCount)),
            ["Freight"] = isShipped ? random.Between(50, random.Happens(10) ? 60_000 : 12_000) / 100m : 0m,
            ["Lines"] = MakeLines(random),
            ["OrderedAt"] = ShopCatalog.Text(ordered),
            ["RequireAt"] = ShopCatalog.Text(ordered.AddDays(random.Happens(85) ? 28 : 14)),
            ["ShipTo"] = ShopCatalog.AddressIn(place, random),
            ["ShipVia"] = ShopCatalog.IdOf("shippers", random.Between(1, ShopWords.Shippers.Count)),
            ["ShippedAt"] = isShipped ? ShopCatalog.Text(ordered.AddDays(random.Happens(92) ? random.Between(1, 12) : random.Between(20, 34))) : null,
        };
    }

    private static JsonArray MakeLines(ShopRandom random)
    {
        var lines = new JsonArray();
        var products = new HashSet<int>();
        for (int wanted = random.Happens(12) ? random.Between(4, 6) : random.Between(1, 3); products.Count < wanted;)
        {
            int product = random.Between(1, ShopCatalog.ProductCount);
            if (products.Add(product))
            {
                lines.Add(new JsonObject
                {
                    ["Product"] = ShopCatalog.IdOf("products", product),
                    ["ProductName"] = ShopCatalog.NameOfProduct(product),
                    ["PricePerUnit"] = ShopCatalog.PriceOf(product),
                    ["Quantity"] = random.Happens(20) ? random.Between(30, 120) : random.Between(1, 30),
                    ["Discount"] = random.Happens(60) ? 0m : random.Between(1, 5) / 20m,
                });
            }
        }

        return lines;
    }
}
