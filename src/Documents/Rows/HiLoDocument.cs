using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;

namespace Jackdaw.Documents.Rows;

/// <summary>The document <c>Raven/Hilo/{tag}</c>, with the largest number of a tag that was given out.</summary>
internal sealed class HiLoDocument
{
    /// <summary>The key of the collection of these documents.</summary>
    public static ReadOnlySpan<byte> CollectionKey => "@hilo"u8;

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

    /// <summary>Reads the largest number that was given out; 0 when there is no document.</summary>
    /// <returns>False when somebody has put another document in its place, without a whole number <c>Max</c>. With a guess, numbers could be given out
    /// twice.</returns>
    public bool TryReadMax(DocumentTransaction documents, out long max)
    {
        max = 0;
        return !documents.TryFind(_key, out DocumentRow stored) || TryFindMax(stored.Body, out max, out _);
    }

    /// <summary>Stores the largest number that was given out. An existing document keeps everything else, because clients store documents of their own here,
    /// with metadata.</summary>
    /// <remarks>Called after <see cref="TryReadMax"/> in the same transaction.</remarks>
    public void WriteMax(DocumentTransaction documents, long max)
    {
        bool exists = documents.TryFind(_key, out DocumentRow stored);
        ParsedDocument document = exists ? Raised(stored, max) : First(max);
        Span<byte> row = DocumentRowBuilding.Build(documents.Rows, _key, exists ? stored.Id : _id, document).Span;
        if (exists)
        {
            documents.Replace(stored, _key, row, schedule: document.Schedule);
        }
        else
        {
            documents.Insert(_key, row);
        }
    }

    private static ParsedDocument First(long max)
    {
        string body = string.Create(CultureInfo.InvariantCulture, $$"""{"Max":{{max}},"@metadata":{{Metadata}}}""");
        return new ParsedDocument(Encoding.UTF8.GetBytes(body), body.Length - Metadata.Length - 1, CollectionKey.ToArray());
    }

    private static ParsedDocument Raised(DocumentRow stored, long max)
    {
        ReadOnlySpan<byte> body = stored.Body;
        bool isFound = TryFindMax(body, out _, out Range place);
        Debug.Assert(isFound);
        byte[] number = Encoding.ASCII.GetBytes(max.ToString(CultureInfo.InvariantCulture));
        byte[] raised = [.. body[..place.Start], .. number, .. body[place.End..]];
        // The metadata is the last member, so its place depends on the length of the number.
        int metadata = stored.MetadataOffset + raised.Length - body.Length;
        using var parser = new DocumentParser(DocumentExtensions.None);
        return new ParsedDocument(raised, metadata, stored.Collection.ToArray()) { Schedule = StoredSchedule.Read(raised, metadata, parser) };
    }

    /// <summary>Finds the whole number <c>Max</c> among the members of a document, and its place.</summary>
    private static bool TryFindMax(ReadOnlySpan<byte> body, out long max, out Range place)
    {
        var reader = new Utf8JsonReader(body, new JsonReaderOptions { MaxDepth = DocumentLimits.JsonDepthMax });
        reader.Read();
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            bool isMax = reader.ValueTextEquals("Max"u8);
            reader.Read();
            if (isMax)
            {
                place = (int)reader.TokenStartIndex..(int)reader.BytesConsumed;
                max = 0;
                return reader.TokenType == JsonTokenType.Number && reader.TryGetInt64(out max);
            }

            reader.Skip();
        }

        (max, place) = (0, default);
        return false;
    }
}
