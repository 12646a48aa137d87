using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Counters;

/// <summary>Walks the counters of one document, ordered by name without regard to case. It is valid within its transaction, until the table changes.</summary>
internal sealed class CounterList : IDisposable
{
    private readonly TableKeyCursor _cursor;
    private readonly byte[] _prefix;
    private bool _isStarted;

    /// <param name="document">Key.</param>
    public CounterList(Table table, ReadOnlySpan<byte> document)
    {
        _cursor = table.OpenKeys(CounterTable.ByKey);
        _prefix = new byte[document.Length + 1];
        ExtensionKeys.MakePrefix(document, _prefix);
    }

    /// <summary>The counter at the position; valid only after <see cref="MoveNext"/> returned true.</summary>
    public CounterRow Current => new(_cursor.Row);

    public bool MoveNext()
    {
        bool isFirst = !_isStarted;
        _isStarted = true;
        return isFirst ? _cursor.SeekPrefix(_prefix) : _cursor.MoveNext(_prefix);
    }

    public void Dispose() => _cursor.Dispose();
}
