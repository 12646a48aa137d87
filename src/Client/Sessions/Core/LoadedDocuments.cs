using System.Text.Json;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>The answer to a load, read in one pass; its documents are parts of its bytes. A cached answer is read once for all readers.</summary>
internal sealed class LoadedDocuments
{
    private static readonly LoadedDocuments s_nothing = new();

    private StoredDocument?[] _results = [];

    private LoadedDocuments()
    {
    }

    /// <summary>The documents in the order of the answer; null for those that do not exist.</summary>
    public IReadOnlyList<StoredDocument?> Results => _results;

    /// <summary>Included documents.</summary>
    public IReadOnlyList<StoredDocument> Includes { get; private set; } = [];

    /// <summary>Ids of the documents to include, whether they exist or not.</summary>
    public IReadOnlyList<string> IncludedIds { get; private set; } = [];

    /// <summary>Whether something other than documents was included.</summary>
    public bool HasMore { get; private set; }

    /// <exception cref="BadResponseException">The text is not an answer to a load.</exception>
    public static LoadedDocuments Of(RequestAnswer answer) => Of(answer, isOne: false);

    /// <inheritdoc cref="Of(RequestAnswer)"/>
    /// <param name="isOne">Whether one document was requested, with nothing else.</param>
    public static LoadedDocuments Of(RequestAnswer answer, bool isOne)
    {
        if (answer.IsMissing)
        {
            return s_nothing;
        }

        if (answer.Parsed is LoadedDocuments known)
        {
            return known;
        }

        LoadedDocuments read = (isOne ? TryReadOne(answer.Body) : null) ?? answer.Read(Read);
        answer.Parsed = read;
        return read;
    }

    /// <summary>The document of the only id; null if it does not exist.</summary>
    public StoredDocument? Find(string asked) => _results.Length == 1 ? _results[0] : Find([asked])[0];

    /// <summary>The document of each id; null for those that do not exist.</summary>
    public StoredDocument?[] Find(string[] asked)
    {
        if (_results.Length == asked.Length)
        {
            return _results;
        }

        // The answer to a cluster-wide session leaves out documents that do not exist.
        var byId = new Dictionary<string, StoredDocument>(StringComparer.OrdinalIgnoreCase);
        foreach (StoredDocument? result in _results)
        {
            if (result is not null)
            {
                byId[result.Id] = result;
            }
        }

        return [.. asked.Select(byId.GetValueOrDefault)];
    }

    // As servers write it. The document itself is not read here: whoever makes an object of it does.
    private static LoadedDocuments? TryReadOne(ReadOnlyMemory<byte> body)
    {
        ReadOnlySpan<byte> before = "{\"Results\":["u8;
        ReadOnlySpan<byte> after = "],\"Includes\":{}}"u8;
        return body.Length > before.Length + after.Length && body.Span.StartsWith(before) && body.Span.EndsWith(after)
            && StoredDocument.TryRead(body[before.Length..^after.Length]) is { } only
            ? new LoadedDocuments { _results = [only] }
            : null;
    }

    private static LoadedDocuments Read(ReadOnlyMemory<byte> body)
    {
        try
        {
            var loaded = new LoadedDocuments();
            var json = new Utf8JsonReader(body.Span);
            return json.Read() && json.TokenType == JsonTokenType.StartObject && loaded.TakeMembers(ref json, body)
                ? loaded
                : throw new BadResponseException("The answer has no list 'Results'.");
        }
        catch (Exception wrong) when (wrong is JsonException or InvalidOperationException)
        {
            throw new BadResponseException($"The answer is not JSON: {wrong.Message}", wrong);
        }
    }

    // Whether there are results.
    private bool TakeMembers(ref Utf8JsonReader json, ReadOnlyMemory<byte> body)
    {
        bool hasResults = false;
        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            if (json.ValueTextEquals("Results"u8))
            {
                json.Read();
                hasResults = json.TokenType == JsonTokenType.StartArray;
                TakeResults(ref json, body);
            }
            else if (json.ValueTextEquals("Includes"u8))
            {
                json.Read();
                TakeIncludes(ref json, body);
            }
            else
            {
                bool isMore = json.ValueTextEquals("CompareExchangeValueIncludes"u8) || json.ValueTextEquals("RevisionIncludes"u8);
                json.Read();
                HasMore |= isMore && json.TokenType is JsonTokenType.StartObject or JsonTokenType.StartArray;
                json.Skip();
            }
        }

        json.Read(); // what follows is checked, too
        return hasResults;
    }

    private void TakeResults(ref Utf8JsonReader json, ReadOnlyMemory<byte> body)
    {
        if (json.TokenType != JsonTokenType.StartArray)
        {
            json.Skip();
            return;
        }

        int count = 0;
        var results = new StoredDocument?[1]; // most answers have one
        while (json.Read() && json.TokenType != JsonTokenType.EndArray)
        {
            if (count == results.Length)
            {
                Array.Resize(ref results, count * 4);
            }

            results[count++] = TakeDocument(ref json, body);
        }

        Array.Resize(ref results, count);
        _results = results;
    }

    private void TakeIncludes(ref Utf8JsonReader json, ReadOnlyMemory<byte> body)
    {
        if (json.TokenType != JsonTokenType.StartObject)
        {
            json.Skip();
            return;
        }

        List<string>? ids = null;
        List<StoredDocument>? documents = null;
        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            (ids ??= []).Add(json.GetString()!);
            json.Read();
            if (TakeDocument(ref json, body) is { } document)
            {
                (documents ??= []).Add(document);
            }
        }

        IncludedIds = ids ?? IncludedIds;
        Includes = documents ?? Includes;
    }

    private static StoredDocument? TakeDocument(ref Utf8JsonReader json, ReadOnlyMemory<byte> body)
    {
        if (json.TokenType == JsonTokenType.StartObject)
        {
            return StoredDocument.Read(ref json, body);
        }

        json.Skip();
        return null;
    }
}
