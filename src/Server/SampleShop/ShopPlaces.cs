using System.Globalization;

namespace Jackdaw.Server.SampleShop;

/// <summary>A city with the position of its centre, in degrees.</summary>
/// <param name="Region">A state or county; null where addresses do not name one.</param>
/// <param name="PostalCode">That of the centre.</param>
internal sealed record ShopPlace(string City, string? Region, string Country, string PostalCode, double Latitude, double Longitude);

/// <summary>The cities in which companies, suppliers and employees of the sample shop live.</summary>
internal static class ShopPlaces
{
    private const string Cities =
        """
        London||UK|EC1A|51.507|-0.128
        Leeds||UK|LS1|53.801|-1.549
        Bristol||UK|BS1|51.454|-2.588
        Berlin||Germany|10115|52.520|13.405
        Hamburg||Germany|20095|53.551|9.994
        Ulm||Germany|89073|48.401|9.988
        Leipzig||Germany|04109|51.340|12.375
        Paris||France|75001|48.857|2.352
        Lyon||France|69001|45.764|4.836
        Nantes||France|44000|47.218|-1.554
        Madrid||Spain|28001|40.417|-3.704
        Seville||Spain|41001|37.389|-5.984
        Lisbon||Portugal|1100|38.722|-9.139
        Turin||Italy|10121|45.070|7.687
        Bergamo||Italy|24121|45.698|9.677
        Vienna||Austria|1010|48.208|16.374
        Graz||Austria|8010|47.071|15.440
        Bern||Switzerland|3011|46.948|7.447
        Brussels||Belgium|1000|50.850|4.352
        Copenhagen||Denmark|1050|55.676|12.568
        Aarhus||Denmark|8000|56.163|10.204
        Stockholm||Sweden|111 20|59.329|18.069
        Bergen||Norway|5003|60.393|5.324
        Helsinki||Finland|00100|60.170|24.938
        Warsaw||Poland|00-001|52.230|21.012
        Cork||Ireland|T12|51.898|-8.475
        Seattle|WA|USA|98101|47.606|-122.332
        Portland|OR|USA|97204|45.515|-122.679
        Boise|ID|USA|83702|43.615|-116.202
        Albuquerque|NM|USA|87102|35.084|-106.650
        Anchorage|AK|USA|99501|61.218|-149.900
        Vancouver|BC|Canada|V6B|49.283|-123.121
        Montreal|QC|Canada|H2Y|45.502|-73.567
        Mexico City||Mexico|06000|19.433|-99.133
        Caracas|DC|Venezuela|1010|10.481|-66.904
        Sao Paulo|SP|Brazil|01001|-23.551|-46.633
        Rio de Janeiro|RJ|Brazil|20010|-22.907|-43.173
        Buenos Aires||Argentina|C1002|-34.604|-58.382
        Osaka||Japan|530|34.694|135.502
        Sydney|NSW|Australia|2000|-33.869|151.209
        """;

    public static IReadOnlyList<ShopPlace> All { get; } = [.. Cities.Split('\n').Select(line => Parse(line.Trim().Split('|')))];

    private static ShopPlace Parse(string[] parts) =>
        new(parts[0], parts[1].Length == 0 ? null : parts[1], parts[2], parts[3], Degrees(parts[4]), Degrees(parts[5]));

    private static double Degrees(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}
