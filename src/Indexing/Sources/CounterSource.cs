using System.Buffers;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Indexing.Sources;

/// <summary>The counters of documents. A deleted counter is a change of its document, whose metadata names its counters.</summary>
internal sealed class CounterSource : ItemSource
{
    public override IndexSourceType Type => IndexSourceType.Counters;

    public override string Key => "counters";

    public override string Description => "counters";

    public override Etag LastEtag(DocumentReadScope read) => new CounterReads(read.Transaction).LastEtag;

    public override bool IsConcernedBy(SourceChange change) =>
        change.Extension == CounterExtension.Instance.Slot;

    public override SourceCursor OpenChanges(DocumentReadScope read, Etag after) => new Changes(read, after);

    public override ItemCursor OpenItems(DocumentReadScope read, in StoredDocument document) => new Items(read, document);

    // Counters of all collections.
    private sealed class Changes(DocumentReadScope read, Etag after) : SourceCursor
    {
        private readonly HashSet<byte[]> _given = new(ByteTextComparer.Instance);
        private TableNumberCursor _cursor = new CounterReads(read.Transaction).OpenByEtag();
        private bool _isStarted;

        public override Etag Etag => new(_cursor.Number);

        public override ReadOnlySpan<byte> Key => ExtensionKeys.DocumentOf(new CounterRow(_cursor.Row).Key);

        public override bool MoveNext()
        {
            bool isFirst = !_isStarted;
            _isStarted = true;
            return isFirst ? _cursor.Seek(after.Value + 1) : _cursor.MoveNext();
        }

        public override bool TryGetDocument(out StoredDocument document)
        {
            document = default;
            return _given.GetAlternateLookup<ReadOnlySpan<byte>>().Add(Key) && read.TryGet(Key, out document);
        }
    }

    // {"DocumentId":"users/1","Name":"Likes","Value":3}
    private sealed class Items : ItemCursor
    {
        private readonly CounterList _counters;
        private readonly byte[] _document;
        private readonly ArrayBufferWriter<byte> _json = new();
        private readonly Utf8JsonWriter _writer;

        public Items(DocumentReadScope read, in StoredDocument document)
        {
            _counters = new CounterReads(read.Transaction).List(document.Key);
            _document = document.Id.ToArray();
            _writer = new Utf8JsonWriter(_json);
        }

        public override string Name => Encoding.UTF8.GetString(_counters.Current.Name);

        public override ReadOnlySpan<byte> Json => _json.WrittenSpan;

        public override bool MoveNext()
        {
            if (!_counters.MoveNext())
            {
                return false;
            }

            _json.ResetWrittenCount();
            _writer.Reset(_json);
            _writer.WriteStartObject();
            _writer.WriteString("DocumentId"u8, _document);
            _writer.WriteString("Name"u8, _counters.Current.Name);
            _writer.WriteNumber("Value"u8, _counters.Current.Value);
            _writer.WriteEndObject();
            _writer.Flush();
            return true;
        }

        public override void Dispose()
        {
            _writer.Dispose();
            _counters.Dispose();
        }
    }
}
