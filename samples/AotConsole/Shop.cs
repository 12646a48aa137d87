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

    /// <summary>How many there are; null: nobody has counted them.</summary>
    public int? Stock { get; set; }

    /// <summary>Whether it can be bought.</summary>
    public Sale Sale { get; set; }

    /// <summary>When it came into the shop.</summary>
    public DateTime AddedAt { get; set; }

    /// <summary>Words to find it by.</summary>
    public List<string> Tags { get; set; } = [];
}

/// <summary>Whether something can be bought.</summary>
public enum Sale
{
    /// <summary>Yes.</summary>
    Open,

    /// <summary>Not any more.</summary>
    Ended,
}

/// <summary>A row of a query.</summary>
/// <param name="Name">Of the product.</param>
/// <param name="Price">Of the product.</param>
public sealed record PriceRow(string Name, decimal Price);

/// <summary>A group of products.</summary>
/// <param name="Sale">The key.</param>
/// <param name="Count">Of products.</param>
/// <param name="Price">The sum.</param>
public sealed record SaleRow(Sale Sale, int Count, decimal Price);

/// <summary>All types that become JSON: without reflection, the compiler writes how.</summary>
[JsonSourceGenerationOptions(IncludeFields = true, UseStringEnumConverter = true)]
[JsonSerializable(typeof(Product))]
[JsonSerializable(typeof(PriceRow))]
[JsonSerializable(typeof(SaleRow))]
public sealed partial class ShopJson : JsonSerializerContext;
