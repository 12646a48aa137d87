using Jackdaw.Documents.Changes;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Indexing.Sources;

/// <summary>The compare exchange values, which maps load by their keys.</summary>
internal sealed class ValueSource : IndexSource
{
    /// <summary>Changes that are read at once.</summary>
    private const int ReadMax = 256;

    public static ValueSource Instance { get; } = new();

    public override string Key => "values";

    public override string Description => "compare exchange values";

    /// <summary>The key of a value among the keys of loaded documents. It begins with a zero byte, which no key of a document contains.</summary>
    public static byte[] LoadedKeyOf(ReadOnlySpan<byte> key) => [0, .. key];

    public override Etag LastEtag(DocumentReadScope read) => new(ValueChanges.LastEtag(read.Transaction));

    public override Etag ForgottenEtag(DocumentReadScope read) => new(ValueChanges.ForgottenEtag(read.Transaction.Trees));

    public override bool IsConcernedBy(SourceChange change) =>
        change.Kind is ChangeKind.CompareExchangePut or ChangeKind.CompareExchangeDelete;

    public override SourceCursor OpenChanges(DocumentReadScope read, Etag after) => new Cursor(read, after);

    private sealed class Cursor(DocumentReadScope read, Etag after) : SourceCursor
    {
        private List<(long Etag, byte[] Key)> _changes = [];
        private Etag _etag = after;
        private byte[] _key = [];
        private int _next;

        public override Etag Etag => _etag;

        public override ReadOnlySpan<byte> Key => _key;

        public override bool MoveNext()
        {
            if (_next == _changes.Count)
            {
                _changes = ValueChanges.Read(read.Transaction, _etag.Value, ReadMax);
                _next = 0;
            }

            if (_changes.Count == 0)
            {
                return false;
            }

            (long etag, byte[] key) = _changes[_next++];
            (_etag, _key) = (new Etag(etag), LoadedKeyOf(key));
            return true;
        }
    }
}
