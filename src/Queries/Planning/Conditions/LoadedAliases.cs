using System.Buffers;
using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;
using Jackdaw.Json.Paths;
using Jackdaw.Json.Tape;
using Jackdaw.Scripting;

namespace Jackdaw.Queries.Planning.Conditions;

/// <summary>Where the id of a loaded document is.</summary>
/// <param name="Path">The place in a document; null when every row loads the same document.</param>
/// <param name="Text">The id itself, for documents that have no value at the path; null when there is none.</param>
internal readonly record struct LoadedId(FieldReader? Path, string? Text);

/// <summary>The documents that <c>load</c> names, for one row after another.</summary>
/// <remarks>Bodies are copied: each has a tape of its own, and both reuse their memory for the next row.</remarks>
/// <param name="ids">Where the ids are, one for each document.</param>
/// <param name="keptSources">The documents whose text has all metadata that the server keeps: 1 is the first loaded one.</param>
internal sealed class LoadedAliases(IReadOnlyList<LoadedId> ids, IReadableDatabase database, IReadOnlySet<int> keptSources) : IDisposable
{
    private readonly ArrayBufferWriter<byte> _whole = new();
    private readonly Slot[] _slots = [.. ids.Select(_ => new Slot())];

    /// <summary>Reads the documents of a row. A later path may begin with the alias of an earlier one.</summary>
    /// <returns>The number of documents that exist, and their bytes.</returns>
    public (int Documents, long Bytes) Load(DocumentReadScope read, in EvaluatedDocument document)
    {
        foreach (Slot slot in _slots)
        {
            slot.Exists = false;
        }

        (int Documents, long Bytes) loaded = default;
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        for (int i = 0; i < ids.Count; i++)
        {
            bool isNamed = IdOf(ids[i], document) is { } id
                && DocumentIds.TryMakeKey(id, key, out int length) == DocumentIdFault.None
                && Read(read, key[..length], i);
            _slots[i].Exists = isNamed;
            loaded = isNamed ? (loaded.Documents + 1, loaded.Bytes + _slots[i].Body.Length) : loaded;
        }

        return loaded;
    }

    /// <summary>The document at a position; a missing value for one that does not exist.</summary>
    public TapeValue RootOf(int index) =>
        _slots[index].Exists ? new TapeValue(_slots[index].Body.Written, _slots[index].Tape, 0) : default;

    /// <summary>The same document as scripts get it; it is valid until the next row. Null for one that does not exist.</summary>
    public ScriptDocument? DocumentOf(int index)
    {
        Slot slot = _slots[index];
        return !slot.Exists ? null : new ScriptDocument
        {
            Id = slot.Id,
            Json = slot.Body.Slice(0, slot.Body.Length),
            ChangeVector = slot.ChangeVector,
            Etag = slot.Etag,
            Flags = slot.Flags,
            LastModified = new DateTime(slot.LastModifiedTicks, DateTimeKind.Utc),
        };
    }

    public void Dispose()
    {
        foreach (Slot slot in _slots)
        {
            slot.Tape.Dispose();
            slot.Body.Dispose();
        }
    }

    // A member of the document wins over a text that is written in the query.
    private static string? IdOf(LoadedId id, in EvaluatedDocument document)
    {
        if (id.Path is not { } path)
        {
            return id.Text;
        }

        TapeValue root = document.RootOf(path.Source);
        var found = default(FirstText);
        return path.Any(root, ref found) ? found.Text
            : id.Text is not null && !path.Exists(root) ? id.Text
            : null;
    }

    private bool Read(DocumentReadScope read, ReadOnlySpan<byte> key, int index)
    {
        if (!read.TryGet(key, out StoredDocument found))
        {
            return false;
        }

        Slot slot = _slots[index];
        slot.Body.Clear();
        if (keptSources.Contains(index + 1))
        {
            _whole.Clear();
            DocumentAnswers.WriteForPaths(_whole, database, found);
            slot.Body.Append(_whole.WrittenSpan);
        }
        else
        {
            slot.Body.Append(found.BodyWith(database.Extensions));
        }

        slot.Tape.ReadStored(slot.Body.Written, found.Id);
        slot.Id = Encoding.UTF8.GetString(found.Id);
        slot.LastModifiedTicks = found.LastModifiedTicks;
        slot.Etag = found.Etag.Value;
        slot.ChangeVector = database.Replica.TextOf(found.Version);
        slot.Flags = DocumentWriter.TextOfFlags(found.Flags, database.Extensions);
        return true;
    }

    /// <summary>One document.</summary>
    private sealed class Slot
    {
        public JsonTape Tape { get; } = new();

        public PooledBuffer Body { get; } = new();

        public bool Exists { get; set; }

        public string Id { get; set; } = "";

        public long LastModifiedTicks { get; set; }

        public long Etag { get; set; }

        public string ChangeVector { get; set; } = "";

        public string? Flags { get; set; }
    }

    private struct FirstText : IValueTest
    {
        public string? Text { get; private set; }

        public bool Test(TapeValue value)
        {
            Text = value.ToText();
            return Text is not null;
        }
    }
}
