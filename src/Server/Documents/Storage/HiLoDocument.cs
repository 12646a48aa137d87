using System.Globalization;
using System.Text;
using System.Text.Json;
using Jackdaw.Server.Documents.Json;

namespace Jackdaw.Server.Documents.Storage;

/// <summary>The document <c>Raven/Hilo/{tag}</c>: how far the numbers of a tag were given out.</summary>
internal sealed class HiLoDocument
{
    private const string IdPrefix = "Raven/Hilo/";
    private const string Metadata = """{"@collection":"@hilo"}""";

    private readonly byte[] _id;
    private readonly byte[] _key;

    /// <exception cref="ArgumentException">The tag cannot be part of an id.</exception>
    public HiLoDocument(string tag)
    {
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        DocumentIdFault fault = DocumentIds.TryMakeKey(IdPrefix + tag, key, out int length);
        if (fault != DocumentIdFault.None || tag.Length == 0)
        {
            throw new ArgumentException(
                $"'{tag}' cannot be a tag of HiLo numbers: {DocumentIds.Describe(fault)}", nameof(tag));
        }

        _id = Encoding.UTF8.GetBytes(IdPrefix + tag);
        _key = key[..length].ToArray();
    }

    /// <summary>The largest number given out; 0 when there is no document.</summary>
    /// <exception cref="InvalidOperationException">Somebody put another document in its place: guessing would give
    /// numbers out twice.</exception>
    public long ReadMax(DocumentTransaction documents)
    {
        if (!documents.TryFind(_key, out DocumentRow stored))
        {
            return 0;
        }

        var reader = new Utf8JsonReader(stored.Body);
        reader.Read();
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            bool isMax = reader.ValueTextEquals("Max"u8);
            reader.Read();
            if (isMax && reader.TokenType == JsonTokenType.Number && reader.TryGetInt64(out long max))
            {
                return max;
            }

            reader.Skip();
        }

        throw new InvalidOperationException(
            $"The document '{Encoding.UTF8.GetString(_id)}' has no whole number 'Max'; " +
            "put it back, not below the largest number in use.");
    }

    public void WriteMax(DocumentTransaction documents, DocumentWriter writer, long max)
    {
        string body = string.Create(CultureInfo.InvariantCulture, $$"""{"Max":{{max}},"@metadata":{{Metadata}}}""");
        var command = new WriteCommand
        {
            Kind = WriteCommandKind.Put,
            Id = _id,
            Key = _key,
            Body = Encoding.UTF8.GetBytes(body),
            MetadataOffset = body.Length - Metadata.Length - 1,
            Collection = "@hilo"u8.ToArray(),
        };
        bool exists = documents.TryFind(_key, out DocumentRow stored);
        Span<byte> row = DocumentRowBuilding.Build(writer.Rows, _key, exists ? stored.Id : _id, command).Span;
        if (exists)
        {
            documents.Replace(stored, _key, row);
        }
        else
        {
            documents.Insert(_key, row);
        }
    }
}
