using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Includes;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Json.Tape;

namespace Jackdaw.Documents.Counters;

/// <summary>The counters of documents in an answer. They are gathered while the documents are written, and written after them, if possible from the same
/// snapshot.</summary>
/// <remarks>Each document that exists becomes part of the answer, which bounds the memory.</remarks>
internal sealed class IncludedCounters : IInclude
{
    private readonly IReadOnlyList<ExtensionInclude> _includes;

    // The keys as texts (Latin-1 keeps each byte), in their order.
    private readonly OrderedDictionary<string, Wanted> _documents = [];
    private readonly JsonTape? _tape;

    public IncludedCounters(IReadOnlyList<ExtensionInclude> includes)
    {
        _includes = includes;
        _tape = includes.Any(include => include.Path is not null) ? new JsonTape() : null;
    }

    /// <summary>Returns pooled memory.</summary>
    public void Dispose() => _tape?.Dispose();

    /// <summary>Notes a document of the answer.</summary>
    public void Collect(DocumentReadScope read, in StoredDocument document)
    {
        if (document.Key.IsEmpty)
        {
            return;
        }

        TapeValue body = _tape is null ? default : _tape.ReadStored(document.Body, document.Id);
        foreach (ExtensionInclude include in _includes)
        {
            if (include.Path is null)
            {
                Want(document.Key, include);
            }
            else
            {
                IncludePaths.Collect(body, include.Path, id => Want(id, include));
            }
        }
    }

    /// <summary>Writes the members CounterIncludes and IncludedCounterNames, each with a comma before it.</summary>
    /// <param name="hash">Receives the versions of all counters that were read.</param>
    /// <returns>True when the answer depends on counters.</returns>
    public bool Write(RenewedRead read, ResponseBuffer body, ref VersionHash hash)
    {
        body.Append(",\"CounterIncludes\":"u8);
        using (var json = new Utf8JsonWriter(body, JsonAnswers.WriterOptions))
        {
            json.WriteStartObject();
            foreach ((string key, Wanted wanted) in _documents)
            {
                WriteDocument(read, json, key, wanted, ref hash);
            }

            json.WriteEndObject();
        }

        body.Append(",\"IncludedCounterNames\":"u8);
        using (var json = new Utf8JsonWriter(body, JsonAnswers.WriterOptions))
        {
            WriteNames(json);
        }

        return true;
    }

    private void Want(string id, ExtensionInclude include)
    {
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        if (DocumentIds.TryMakeKey(id, key, out int length) == DocumentIdFault.None)
        {
            Want(key[..length], include);
        }
    }

    private void Want(ReadOnlySpan<byte> key, ExtensionInclude include)
    {
        string text = Encoding.Latin1.GetString(key);
        if (!_documents.TryGetValue(text, out Wanted? wanted))
        {
            _documents.Add(text, wanted = new Wanted());
        }

        if (!wanted.Includes.Contains(include))
        {
            wanted.Includes.Add(include);
        }
    }

    private static void WriteDocument(RenewedRead read, Utf8JsonWriter json, string text, Wanted wanted, ref VersionHash hash)
    {
        Span<byte> buffer = stackalloc byte[DocumentIds.KeyBytesMax];
        ReadOnlySpan<byte> key = buffer[..Encoding.Latin1.GetBytes(text, buffer)];
        int bytes = 0;
        if (read.Scope.TryGet(key, out StoredDocument document))
        {
            wanted.Id = Encoding.UTF8.GetString(document.Id);
            var counters = new CounterReads(read.Scope.Transaction);
            json.WriteStartArray(document.Id);
            foreach (CounterDetail detail in wanted.Names is { Count: > 0 } names ? names.Select(name => Find(counters, text, name)) : counters.All(key))
            {
                CounterAnswers.Write(json, document.Id, detail, valuesOf: null);
                hash.Add(detail.Etag);
                bytes += detail.Name.Length;
            }

            json.WriteEndArray();
            json.Flush();
        }

        if (read.IsSpentAfter(bytes))
        {
            read.Renew();
        }
    }

    private static CounterDetail Find(CounterReads counters, string key, string name) =>
        counters.Find(Encoding.Latin1.GetBytes(key), Encoding.UTF8.GetBytes(name));

    private void WriteNames(Utf8JsonWriter json)
    {
        json.WriteStartObject();
        foreach (Wanted wanted in _documents.Values.Where(wanted => wanted.Id is not null))
        {
            JsonAnswers.WriteTexts(json, wanted.Id!, wanted.Names);
        }

        json.WriteEndObject();
    }

    /// <summary>A document whose counters are wanted.</summary>
    private sealed class Wanted
    {
        public List<ExtensionInclude> Includes { get; } = [];

        /// <summary>The stored id; null when the document does not exist, so that nothing is written for it.</summary>
        public string? Id { get; set; }

        /// <summary>The names, each once; empty for all.</summary>
        public IReadOnlyList<string> Names => Includes.Exists(include => include.Names.Count == 0)
            ? []
            : Includes is [var only] ? only.Names : [.. Includes.SelectMany(include => include.Names).Distinct(StringComparer.OrdinalIgnoreCase)];
    }
}
