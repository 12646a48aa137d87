using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Json.Refusals;
using Jackdaw.Json.Tape;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Includes;

/// <summary>Compare exchange values that an answer includes: those that loaded documents name, and the guards of documents for which a cluster-wide session
/// asked and which do not exist.</summary>
/// <remarks>The answer bounds the memory: each key is in it once, with or without a value.</remarks>
internal sealed class IncludedValues : IInclude
{
    private readonly List<IncludePath> _paths = [];
    private readonly JsonTape? _tape;
    private readonly List<string> _keys = [];
    private readonly HashSet<string> _isKnown = [];
    private readonly List<(string Id, long Index)> _guards = [];
    private readonly Replica _replica;

    /// <param name="replica">The replica, for the change vectors of guards.</param>
    /// <param name="paths">The paths to the members of documents that have keys.</param>
    public IncludedValues(Replica replica, IEnumerable<string> paths)
    {
        _replica = replica;
        foreach (string path in paths.Distinct(StringComparer.Ordinal))
        {
            _paths.Add(IncludePath.TryParse(path, out IncludePath parsed) ? parsed : throw new RefusedException(
                RefusalKind.InvalidArgument, $"The path '{path}' of a compare exchange value names no member; give one like 'emailKey' or 'lines.lock'."));
        }

        _tape = _paths.Count > 0 ? new JsonTape() : null;
    }

    /// <summary>Returns pooled memory.</summary>
    public void Dispose() => _tape?.Dispose();

    /// <summary>Notes the keys that a document names.</summary>
    public void Collect(DocumentReadScope read, in StoredDocument document)
    {
        if (_tape is null)
        {
            return;
        }

        TapeValue body = _tape.ReadStored(document.Body, document.Id);
        foreach (IncludePath path in _paths)
        {
            IncludePaths.Collect(body, path, Refer);
        }
    }

    /// <summary>Notes one key.</summary>
    public void Refer(string key)
    {
        if (_isKnown.Add(key))
        {
            _keys.Add(key);
        }
    }

    /// <summary>Notes the guard of a document that does not exist.</summary>
    /// <param name="id">The id for which the request asked.</param>
    public void AddGuard(string id, long index) => _guards.Add((id, index));

    /// <summary>Writes the member CompareExchangeValueIncludes with a comma before it, unless nothing is asked for.</summary>
    /// <returns>Whether something is asked for.</returns>
    public bool Write(RenewedRead read, ResponseBuffer body, ref VersionHash hash)
    {
        if (_paths.Count == 0 && _guards.Count == 0 && _keys.Count == 0)
        {
            return false;
        }

        body.Append(",\"CompareExchangeValueIncludes\":"u8);
        using var json = new Utf8JsonWriter(body, JsonAnswers.WriterOptions);
        Table values = CompareExchangeTable.Open(read.Scope.Transaction);
        json.WriteStartObject();
        foreach (string key in _keys)
        {
            json.WritePropertyName(key);
            hash.Add(WriteOne(values, key, json));
        }

        foreach ((string id, long index) in _guards)
        {
            byte[] name = AtomicGuard.Of(Encoding.UTF8.GetBytes(id));
            if (TryFind(values, Encoding.UTF8.GetString(name), out TableRow row))
            {
                json.WritePropertyName(name);
                CompareExchangeEntries.Write(json, name, new CompareExchangeRow(row), AtomicGuard.EntryText(_replica, index));
                hash.Add(index);
            }
        }

        json.WriteEndObject();
        return true;
    }

    private static long WriteOne(Table values, string key, Utf8JsonWriter json)
    {
        if (!TryFind(values, key, out TableRow row))
        {
            CompareExchangeEntries.WriteMissing(json, key);
            return 0;
        }

        var found = new CompareExchangeRow(row);
        CompareExchangeEntries.Write(json, found.Name, found);
        return found.Index;
    }

    // If the text in a document is not a valid key, there is no value.
    private static bool TryFind(Table values, string name, out TableRow row)
    {
        byte[] key = new byte[DocumentIds.KeyBytesMax];
        row = default;
        return DocumentIds.TryMakeKey(name, key, out int length) == DocumentIdFault.None && values.TryGetByKey(key.AsSpan(0, length), out row);
    }
}
