using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Jackdaw.TestKit;

/// <summary>Documents as applications store them.</summary>
public static class SampleDocuments
{
    private static readonly JsonSerializerOptions s_indented = new() { WriteIndented = true };

    /// <summary>Without whitespace, metadata last: as clients send it.</summary>
    public static byte[] Compact(int bytesMin) => Encoding.UTF8.GetBytes(Order(bytesMin).ToJsonString());

    /// <summary>As a person or a tool sends it.</summary>
    public static byte[] Indented(int bytesMin) => Encoding.UTF8.GetBytes(Order(bytesMin).ToJsonString(s_indented));

    /// <summary>The metadata has to be moved.</summary>
    public static byte[] MetadataFirst(int bytesMin)
    {
        JsonObject order = Order(bytesMin);
        JsonNode? metadata = order["@metadata"];
        order.Remove("@metadata");
        order.Insert(0, "@metadata", metadata);
        return Encoding.UTF8.GetBytes(order.ToJsonString());
    }

    private static JsonObject Order(int bytesMin)
    {
        var lines = new JsonArray();
        var order = new JsonObject
        {
            ["Company"] = "companies/85-A",
            ["Employee"] = "employees/5-A",
            ["OrderedAt"] = "1996-07-04T00:00:00.0000000",
            ["Freight"] = 32.38,
            ["ShippedAt"] = null,
            ["Express"] = true,
            ["ShipTo"] = new JsonObject
            {
                ["City"] = "Reims",
                ["Country"] = "France",
                ["Line1"] = "59 rue de l'Abbaye"
            },
            ["Lines"] = lines,
            ["@metadata"] = new JsonObject
            {
                ["@collection"] = "Orders",
                ["Raven-Clr-Type"] = "Shop.Order, Shop",
                ["@nested-object-types"] = new JsonObject(),
            },
        };
        for (int line = 0; order.ToJsonString().Length < bytesMin; line++)
        {
            lines.Add(new JsonObject
            {
                ["Product"] = $"products/{line * 7}-A",
                ["ProductName"] = "Mozzarella di Giovanni",
                ["PricePerUnit"] = 34.8 + line,
                ["Quantity"] = 5 * line,
                ["Discount"] = 0,
            });
        }
        return order;
    }
}
