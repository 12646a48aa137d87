using System.Security.Cryptography;
using System.Text.Json;
using System.Text.Json.Nodes;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Batches;
using Jackdaw.Documents.Commands;

namespace Jackdaw.Server.SampleShop;

/// <summary>The documents of the sample shop as one batch: after a crash all of them are there, or none.</summary>
internal static class ShopBatch
{
    /// <summary>Why a database that holds documents is refused, and what to do.</summary>
    public const string Advice = "Sample data is only put into an empty database: create another one, or delete its documents first.";

    private static readonly string[] s_withPictures = ["Employees", "Categories"];

    /// <summary>Makes the batch. It is refused by a database that holds a document.</summary>
    /// <param name="parsed">Receives the commands; it must not change before the batch is written.</param>
    /// <param name="kinds">Kinds of commands of the database.</param>
    /// <param name="withPictures">Whether employees and categories get attachments.</param>
    /// <param name="withHistory">Whether shipped orders are written twice, so that their revisions tell when they were shipped.</param>
    public static WriteBatch Make(ParsedBatch parsed, CommandKinds kinds, bool withPictures, bool withHistory)
    {
        ShopDocument[] others = [.. ShopCatalog.MakeAll()];
        ShopDocument[] orders = [.. ShopOrders.MakeAll()];
        byte[][] pictures = withPictures ? [.. Pictured(others).Select(Draw)] : [];
        using (var parser = new BatchParser())
        {
            parser.Parse(Write(others, orders, withPictures, withHistory), parsed, kinds);
        }

        DocumentCommand[] commands = parsed.Commands.ToArray();
        int picture = 0;
        foreach (PutAttachmentCommand put in commands.OfType<PutAttachmentCommand>())
        {
            byte[] drawn = pictures[picture++];
            put.Content = new ReceivedContent(SHA256.HashData(drawn), drawn.Length, 0, drawn);
        }

        return new WriteBatch { Commands = (DocumentCommand[])[new ExpectNoDocumentsCommand(Advice), .. commands] };
    }

    private static IEnumerable<ShopDocument> Pictured(ShopDocument[] documents) =>
        documents.Where(document => s_withPictures.Contains(document.Collection));

    private static byte[] Draw(ShopDocument document) => document.Collection == "Employees"
        ? ShopPictures.DrawPerson(document.Number)
        : ShopPictures.DrawPlate(document.Number);

    private static byte[] Write(ShopDocument[] others, ShopDocument[] orders, bool withPictures, bool withHistory)
    {
        using var bytes = new MemoryStream();
        using (var json = new Utf8JsonWriter(bytes))
        {
            json.WriteStartObject();
            json.WriteStartArray("Commands"u8);
            foreach (ShopDocument document in withHistory ? orders.Select(ShopOrders.BeforeShipping).OfType<ShopDocument>() : [])
            {
                WritePut(json, document);
            }

            foreach (ShopDocument document in others.Concat(orders))
            {
                WritePut(json, document);
            }

            WriteHiLo(json, others.Concat(orders));
            foreach (ShopDocument document in withPictures ? Pictured(others) : [])
            {
                WritePicture(json, document);
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        return bytes.ToArray();
    }

    private static void WritePut(Utf8JsonWriter json, ShopDocument document)
    {
        JsonObject body = document.Body;
        body["@metadata"] = new JsonObject { ["@collection"] = document.Collection };
        WritePut(json, document.Id, body);
    }

    // The next numbers that clients ask for begin after those that are used here.
    private static void WriteHiLo(Utf8JsonWriter json, IEnumerable<ShopDocument> documents)
    {
        foreach (IGrouping<string, ShopDocument> collection in documents.GroupBy(document => document.Collection))
        {
            WritePut(json, $"Raven/Hilo/{collection.Key.ToLowerInvariant()}", new JsonObject
            {
                ["Max"] = collection.Max(document => document.Number),
                ["@metadata"] = new JsonObject { ["@collection"] = "@hilo" },
            });
        }
    }

    private static void WritePut(Utf8JsonWriter json, string id, JsonObject document)
    {
        json.WriteStartObject();
        json.WriteString("Type"u8, "PUT"u8);
        json.WriteString("Id"u8, id);
        json.WritePropertyName("Document"u8);
        document.WriteTo(json);
        json.WriteEndObject();
    }

    private static void WritePicture(Utf8JsonWriter json, ShopDocument document)
    {
        json.WriteStartObject();
        json.WriteString("Type"u8, "AttachmentPUT"u8);
        json.WriteString("Id"u8, document.Id);
        json.WriteString("Name"u8, document.Collection == "Employees" ? "photo.png"u8 : "image.png"u8);
        json.WriteString("ContentType"u8, "image/png"u8);
        json.WriteEndObject();
    }
}
