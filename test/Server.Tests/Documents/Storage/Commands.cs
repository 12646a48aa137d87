using System.Text;
using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Json;

namespace Jackdaw.Server.Tests.Documents.Storage;

/// <summary>Commands as a request would prepare them.</summary>
internal static class Commands
{
    public static WriteCommand Put(string id, string json, ExpectedVersion expected = default)
    {
        using var parser = new DocumentParser();
        ParsedDocument document = parser.Parse(Encoding.UTF8.GetBytes(json));
        return new WriteCommand
        {
            Kind = WriteCommandKind.Put,
            Id = Encoding.UTF8.GetBytes(id),
            Key = Key(id),
            Expected = expected,
            Body = document.Bytes.ToArray(),
            MetadataOffset = document.MetadataOffset,
            Collection = document.Collection.ToArray(),
        };
    }

    public static WriteCommand Delete(string id, ExpectedVersion expected = default) =>
        Other(WriteCommandKind.Delete, id, expected);

    public static WriteCommand DeletePrefix(string id) => Other(WriteCommandKind.DeletePrefix, id, default);

    public static WriteCommand Check(string id, ExpectedVersion expected) => Other(WriteCommandKind.Check, id, expected);

    public static ExpectedVersion Exactly(Etag etag) => ExpectedVersion.Exactly(etag, $"A:{etag.Value}");

    /// <summary>A document of a collection with one number in it.</summary>
    public static string Json(string collection, long number) =>
        $$$"""{"Number":{{{number}}},"@metadata":{"@collection":"{{{collection}}}"}}""";

    public static byte[] Key(string id)
    {
        byte[] key = new byte[DocumentIds.KeyBytesMax];
        Assert.Equal(DocumentIdFault.None, DocumentIds.TryMakeKey(Encoding.UTF8.GetBytes(id), key, out int length));
        return key[..length];
    }

    public static async Task<WriteResult> WriteAsync(this DocumentDatabase database, params WriteCommand[] commands) =>
        await database.WriteAsync(new WriteBatch { Commands = commands }, CancellationToken.None);

    /// <summary>Puts one document and returns its etag.</summary>
    public static async Task<Etag> PutAsync(this DocumentDatabase database, string id, string json)
    {
        WriteResult result = await database.WriteAsync(Put(id, json));
        Assert.Equal(WriteStatus.Applied, result.Status);
        return Assert.Single(result.Results!).Etag;
    }

    /// <summary>A copy of a document; null when there is none.</summary>
    public static DocumentCopy? Get(this DocumentDatabase database, string id)
    {
        using DocumentReadScope read = database.BeginRead();
        return read.Get(id);
    }

    public static DocumentCopy? Get(this DocumentReadScope read, string id) =>
        read.TryGet(Key(id), out StoredDocument document) ? DocumentCopy.Of(document) : null;

    public static List<DocumentCopy> ToList(this DocumentCursor cursor)
    {
        using (cursor)
        {
            var documents = new List<DocumentCopy>();
            while (cursor.MoveNext())
            {
                documents.Add(DocumentCopy.Of(cursor.Current));
            }

            return documents;
        }
    }

    private static WriteCommand Other(WriteCommandKind kind, string id, ExpectedVersion expected) => new()
    {
        Kind = kind,
        Id = Encoding.UTF8.GetBytes(id),
        Key = Key(id),
        Expected = expected,
    };
}

/// <summary>A stored document, copied out of its snapshot.</summary>
internal sealed record DocumentCopy(string Id, Etag Etag, string Collection, string Body)
{
    public static DocumentCopy Of(in StoredDocument document) => new(
        Encoding.UTF8.GetString(document.Id),
        document.Etag,
        Encoding.UTF8.GetString(document.Collection),
        Encoding.UTF8.GetString(document.Body));
}
