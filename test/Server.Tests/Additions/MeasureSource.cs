using System.Text;
using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Sources;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Server.Tests.Additions;

/// <summary>A source that the product does not have: measures of documents, in place of time series. The compare exchange value
/// "measures/users/1|Heart" is the measure Heart of the document users/1; writing it does not write the document.</summary>
/// <param name="key">Under which indexes note it.</param>
internal sealed class MeasureSource(string key = "measures") : ItemSource
{
    private const string Prefix = "measures/";

    public override IndexSourceType Type => IndexSourceType.TimeSeries;

    public override string Key => key;

    public override string Description => "measures";

    public static string NameOf(string document, string measure) => $"{Prefix}{document}|{measure}";

    public override Etag LastEtag(DocumentReadScope read) => new(ValueChanges.LastEtag(read.Transaction));

    public override bool IsConcernedBy(SourceChange change) =>
        change.Kind is ChangeKind.CompareExchangePut or ChangeKind.CompareExchangeDelete;

    public override SourceCursor OpenChanges(DocumentReadScope read, Etag after) =>
        new Changes(read, ValueChanges.Read(read.Transaction, after.Value, int.MaxValue));

    public override ItemCursor OpenItems(DocumentReadScope read, in StoredDocument document) =>
        new Items(read, Encoding.UTF8.GetString(document.Key));

    public override SourceLag LagOf(DocumentReadScope read, Etag reached) => new(
        "@measures", reached, LastEtag(read), ValueChanges.Read(read.Transaction, reached.Value, int.MaxValue).Count, 0,
        CompareExchangeTable.Open(read.Transaction).Count);

    private sealed class Changes(DocumentReadScope read, List<(long Etag, byte[] Key)> changes) : SourceCursor
    {
        private int _at = -1;

        public override Etag Etag => new(changes[_at].Etag);

        public override ReadOnlySpan<byte> Key
        {
            get
            {
                ReadOnlySpan<byte> name = changes[_at].Key.AsSpan(Prefix.Length);
                return name[..name.IndexOf((byte)'|')];
            }
        }

        public override bool MoveNext() => ++_at < changes.Count;

        public override bool TryGetDocument(out StoredDocument document) => read.TryGet(Key, out document);
    }

    private sealed class Items : ItemCursor
    {
        private readonly List<(string Name, byte[] Json)> _items = [];
        private int _at = -1;

        public Items(DocumentReadScope read, string document)
        {
            using TableKeyCursor cursor = CompareExchangeTable.Open(read.Transaction).OpenKeys(CompareExchangeTable.ByKey);
            byte[] prefix = Encoding.UTF8.GetBytes($"{Prefix}{document}|");
            for (bool on = cursor.SeekPrefix(prefix); on; on = cursor.MoveNext(prefix))
            {
                var row = new CompareExchangeRow(cursor.Row);
                string name = Encoding.UTF8.GetString(row.Key[prefix.Length..]);
                using var value = JsonDocument.Parse(row.Value.ToArray());
                object item = new { Name = name, Value = value.RootElement.GetProperty("Object").GetInt64() };
                _items.Add((name, JsonSerializer.SerializeToUtf8Bytes(item)));
            }
        }

        public override string Name => _items[_at].Name;

        public override ReadOnlySpan<byte> Json => _items[_at].Json;

        public override bool MoveNext() => ++_at < _items.Count;
    }
}
