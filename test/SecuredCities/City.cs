using System.Text.Json.Serialization;

namespace Jackdaw.SecuredCities;

/// <summary>A city as the file has it.</summary>
internal sealed class City
{
    [JsonPropertyName("name")]
    public string? Name { get; set; }

    [JsonPropertyName("country")]
    public string? Country { get; set; }

    [JsonPropertyName("lat")]
    public string? Lat { get; set; }

    [JsonPropertyName("lng")]
    public string? Lng { get; set; }

    [JsonPropertyName("note")]
    public string? Note { get; set; }
}
