using System.Text.Json.Serialization;

namespace Jackdaw.AotConsole;

/// <summary>A document.</summary>
public sealed class Product
{
    /// <summary>Given by the store.</summary>
    public string? Id { get; set; }

    /// <summary>What it is called.</summary>
    public string Name { get; set; } = "";

    /// <summary>In whatever currency.</summary>
    public decimal Price { get; set; }

    /// <summary>Words to find it by.</summary>
    public List<string> Tags { get; set; } = [];
}

/// <summary>A row of a query.</summary>
/// <param name="Name">Of the product.</param>
/// <param name="Price">Of the product.</param>
public sealed record PriceRow(string Name, decimal Price);

/// <summary>All types that become JSON: without reflection, the compiler writes how.</summary>
[JsonSourceGenerationOptions(IncludeFields = true)]
[JsonSerializable(typeof(Product))]
[JsonSerializable(typeof(PriceRow))]
[JsonSerializable(typeof(decimal))]
[JsonSerializable(typeof(string))]
public sealed partial class ShopJson : JsonSerializerContext;
