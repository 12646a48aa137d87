namespace Jackdaw.ClientBench;

/// <summary>A document of about a kilobyte.</summary>
internal sealed record Order(string? Id, string Company, string Employee, DateTime OrderedAt, decimal Freight, Address ShipTo, Line[] Lines)
{
    public static Order Sample(int number)
    {
        var random = new Random(number);
        return new Order(
            null,
            $"companies/{random.Next(1000)}",
            $"employees/{random.Next(100)}",
            new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddMinutes(number),
            random.Next(10_000) / 100m,
            new Address($"Street {random.Next(1000)}", $"City {random.Next(500)}", $"Country {random.Next(50)}"),
            [.. Enumerable.Range(0, 6).Select(_ => Sample(random))]);
    }

    private static Line Sample(Random random) =>
        new($"products/{random.Next(500)}", $"Product {random.Next(500)} of many", random.Next(9000) / 100m, random.Next(1, 9));
}

internal sealed record Address(string Street, string City, string Country);

internal sealed record Line(string Product, string ProductName, decimal PricePerUnit, int Quantity);
