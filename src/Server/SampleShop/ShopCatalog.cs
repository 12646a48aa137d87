using System.Globalization;
using System.Text.Json.Nodes;

namespace Jackdaw.Server.SampleShop;

/// <summary>The documents of the sample shop. They are the same each time: what a tutorial shows, every reader gets.</summary>
/// <remarks>All references are ids of documents that are here too. Numbers in ids begin with 1, as those of HiLo do.</remarks>
internal static class ShopCatalog
{
    public const int CompanyCount = 91;
    public const int SupplierCount = 29;
    public const int EmployeeCount = 9;

    /// <summary>The employee to whom all others report.</summary>
    private const int Chief = 2;

    private const int TerritoryCodeFirst = 10101;
    private const int TerritoryCodeStep = 37;

    /// <summary>All documents but the orders, collection by collection, without those of HiLo.</summary>
    public static IEnumerable<ShopDocument> MakeAll() =>
        [.. Categories(), .. Suppliers(), .. Products(), .. Companies(), .. Shippers(), .. Regions(), .. Employees()];

    /// <summary>The id of a document.</summary>
    /// <param name="collection">In plural and lower case, as HiLo writes it.</param>
    /// <param name="number">From 1 on.</param>
    public static string IdOf(string collection, int number) => string.Create(CultureInfo.InvariantCulture, $"{collection}/{number}-A");

    /// <summary>A date as .NET clients write it.</summary>
    public static string Text(DateTime date) => date.ToString("O", CultureInfo.InvariantCulture);

    /// <summary>The place of a company, to which most of its orders go.</summary>
    public static ShopPlace PlaceOf(int company) => ShopPlaces.All[(company - 1) * 7 % ShopPlaces.All.Count];

    /// <summary>An address in a city, with a position up to three kilometers from its centre.</summary>
    public static JsonObject AddressIn(ShopPlace place, ShopRandom random) => new()
    {
        ["Line1"] = $"{random.Between(1, 120)} {random.Of(ShopWords.Streets)}",
        ["Line2"] = random.Happens(15) ? $"Floor {random.Between(1, 6)}" : null,
        ["City"] = place.City,
        ["Region"] = place.Region,
        ["PostalCode"] = place.PostalCode,
        ["Country"] = place.Country,
        ["Location"] = new JsonObject
        {
            ["Latitude"] = Math.Round(place.Latitude + (random.Between(-200, 200) / 10_000.0), 4),
            ["Longitude"] = Math.Round(place.Longitude + (random.Between(-200, 200) / 10_000.0), 4),
        },
    };

    private static IEnumerable<ShopDocument> Categories() => ShopWords.Categories.Select((category, i) => new ShopDocument(
        "Categories", i + 1, new JsonObject { ["Name"] = category.Name, ["Description"] = category.Description }));

    private static IEnumerable<ShopDocument> Suppliers()
    {
        var random = new ShopRandom(29);
        for (int number = 1; number <= SupplierCount; number++)
        {
            string name = $"{ShopWords.LastNames[^number]} {ShopWords.SupplierKinds[number % ShopWords.SupplierKinds.Count]}";
            JsonObject supplier = Partner(name, number + 200, ShopPlaces.All[number * 11 % ShopPlaces.All.Count], random);
            supplier["HomePage"] = random.Happens(40) ? $"https://{ShopWords.LastNames[^number].ToLowerInvariant()}.example" : null;
            yield return new ShopDocument("Suppliers", number, supplier);
        }
    }

    private static IEnumerable<ShopDocument> Companies()
    {
        var random = new ShopRandom(91);
        for (int number = 1; number <= CompanyCount; number++)
        {
            string name = ShopWords.CompanyNames[number % ShopWords.CompanyNames.Count];
            string kind = ShopWords.CompanyKinds[number % ShopWords.CompanyKinds.Count];
            JsonObject company = Partner($"{name} {kind}", number, PlaceOf(number), random);
            company["ExternalId"] = $"{name[..3]}{kind[..2]}".ToUpperInvariant();
            yield return new ShopDocument("Companies", number, company);
        }
    }

    /// <summary>What companies and suppliers have in common.</summary>
    private static JsonObject Partner(string name, int person, ShopPlace place, ShopRandom random) => new()
    {
        ["Name"] = name,
        ["Contact"] = new JsonObject { ["Name"] = $"{FirstName(person)} {LastName(person)}", ["Title"] = random.Of(ShopWords.ContactTitles) },
        ["Address"] = AddressIn(place, random),
        ["Phone"] = Phone(random),
        ["Fax"] = random.Happens(50) ? Phone(random) : null,
    };

    private static IEnumerable<ShopDocument> Products()
    {
        var random = new ShopRandom(77);
        int number = 0;
        for (int category = 1; category <= ShopWords.Products.Count; category++)
        {
            foreach (string name in ShopWords.Products[category - 1])
            {
                yield return new ShopDocument("Products", ++number, new JsonObject
                {
                    ["Name"] = name,
                    ["Supplier"] = IdOf("suppliers", ((number - 1) % SupplierCount) + 1),
                    ["Category"] = IdOf("categories", category),
                    ["QuantityPerUnit"] = random.Of(ShopWords.Quantities),
                    ["PricePerUnit"] = PriceOf(number),
                    ["UnitsInStock"] = random.Happens(8) ? 0 : random.Between(3, 125),
                    ["UnitsOnOrder"] = random.Happens(25) ? random.Between(1, 9) * 10 : 0,
                    ["Discontinued"] = random.Happens(9),
                    ["ReorderLevel"] = random.Between(0, 6) * 5,
                });
            }
        }
    }

    /// <summary>The price of a product today: between 2.50 and 75, in steps of 5 cents; a few are much more expensive.</summary>
    public static decimal PriceOf(int product)
    {
        var random = new ShopRandom(1000 + (ulong)product);
        return random.Between(50, random.Happens(5) ? 4000 : 1500) / 20m;
    }

    public static string NameOfProduct(int product) => s_productNames[product - 1];

    public static int ProductCount => s_productNames.Length;

    private static readonly string[] s_productNames = [.. ShopWords.Products.SelectMany(names => names)];

    private static IEnumerable<ShopDocument> Shippers()
    {
        var random = new ShopRandom(3);
        return [.. ShopWords.Shippers.Select((name, i) => new ShopDocument(
            "Shippers", i + 1, new JsonObject { ["Name"] = name, ["Phone"] = Phone(random) }))];
    }

    private static IEnumerable<ShopDocument> Regions() => ShopWords.Regions.Select((region, i) => new ShopDocument("Regions", i + 1, new JsonObject
    {
        ["Name"] = region.Name,
        ["Territories"] = new JsonArray([.. ShopWords.TerritoryNames.Select((name, j) => new JsonObject
        {
            ["Code"] = CodeOf((i * ShopWords.TerritoryNames.Count) + j),
            ["Name"] = name + region.Ending,
        })]),
    }));

    private static IEnumerable<ShopDocument> Employees()
    {
        var random = new ShopRandom(9);
        int territories = ShopWords.Regions.Count * ShopWords.TerritoryNames.Count;
        for (int number = 1; number <= EmployeeCount; number++)
        {
            DateTime hired = new DateTime(2015, 1, 5).AddDays((number * 170) + random.Between(0, 60));
            int first = number - 1;
            yield return new ShopDocument("Employees", number, new JsonObject
            {
                ["LastName"] = LastName(number + 400),
                ["FirstName"] = FirstName(number + 400),
                ["Title"] = number == Chief ? "Sales Director" : number == 5 ? "Sales Manager" : "Sales Representative",
                ["Address"] = AddressIn(ShopPlaces.All[number % 3 == 0 ? 0 : 26], random),
                ["HiredAt"] = Text(hired),
                ["Birthday"] = Text(hired.AddYears(-random.Between(22, 45)).AddDays(-random.Between(0, 300))),
                ["HomePhone"] = Phone(random),
                ["Extension"] = random.Between(300, 5999).ToString(CultureInfo.InvariantCulture),
                ["ReportsTo"] = number == Chief ? null : IdOf("employees", number > 5 ? 5 : Chief),
                ["Notes"] = new JsonArray(Note(number, 0), Note(number, 3)),
                ["Territories"] = new JsonArray([.. Enumerable.Range(0, territories).Where(i => i % EmployeeCount == first)
                    .Select(i => JsonValue.Create(CodeOf(i)))]),
            });
        }
    }

    private static JsonValue Note(int employee, int shift) => JsonValue.Create(
        string.Format(CultureInfo.InvariantCulture, ShopWords.Notes[(employee + shift) % ShopWords.Notes.Count], FirstName(employee + 400)));

    private static string CodeOf(int territory) => (TerritoryCodeFirst + (territory * TerritoryCodeStep)).ToString(CultureInfo.InvariantCulture);

    // The two lists have 37 and 41 names, so that no two of 1,517 people have the same name.
    private static string FirstName(int person) => ShopWords.FirstNames[person % ShopWords.FirstNames.Count];

    private static string LastName(int person) => ShopWords.LastNames[person % ShopWords.LastNames.Count];

    // Numbers that begin with 555 01 belong to nobody.
    private static string Phone(ShopRandom random) =>
        string.Create(CultureInfo.InvariantCulture, $"({random.Between(200, 989)}) 555-01{random.Between(0, 99):00}");
}

/// <summary>A document of the sample shop.</summary>
/// <param name="Collection">As documents name it, such as <c>Orders</c>.</param>
/// <param name="Number">From 1 on.</param>
/// <param name="Body">Without metadata.</param>
internal sealed record ShopDocument(string Collection, int Number, JsonObject Body)
{
    public string Id => ShopCatalog.IdOf(Collection.ToLowerInvariant(), Number);
}
