namespace Jackdaw.Cities.Web;

/// <summary>A document of the collection Cities.</summary>
public sealed class City
{
    /// <summary>Given by the store.</summary>
    public string? Id { get; set; }

    /// <summary>What its people call it.</summary>
    public string Name { get; set; } = "";

    /// <summary>Two letters, as DE.</summary>
    public string Country { get; set; } = "";

    /// <summary>Degrees, to the north.</summary>
    public double Lat { get; set; }

    /// <summary>Degrees, to the east.</summary>
    public double Lng { get; set; }

    /// <summary>Whatever somebody wrote of it.</summary>
    public string Note { get; set; } = "";
}

/// <summary>A city as the page edits it.</summary>
/// <param name="City">As it is stored.</param>
/// <param name="Version">Of the stored document: a save of another version is refused.</param>
public sealed record CityPage(City City, string? Version);

/// <summary>What the form of the page sends.</summary>
/// <param name="Name">Not empty.</param>
/// <param name="Note">May be empty.</param>
/// <param name="Version">That the form was filled from.</param>
public sealed record CityChange(string Name, string Note, string Version);
