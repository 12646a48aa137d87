namespace Jackdaw.SecuredCities;

/// <summary>A city as the file has it.</summary>
internal sealed class City
{
    public string? Name { get; set; }

    public string? Country { get; set; }

    public string? Lat { get; set; }

    public string? Lng { get; set; }

    public string? Note { get; set; }
}
