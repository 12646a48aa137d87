using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Rows;

/// <summary>Walks documents by etag, in either direction.</summary>
/// <param name="cursor">Null when the collection does not exist.</param>
/// <param name="order">The direction.</param>
/// <param name="start">The first etag that may be returned.</param>
/// <param name="leavesOutHidden">Whether documents of <see cref="HiddenCollection"/> are passed over.</param>
internal sealed class EtagCursor(TableNumberCursor? cursor, EtagOrder order, Etag start, bool leavesOutHidden) : DocumentCursor
{
    private TableNumberCursor _cursor = cursor.GetValueOrDefault();
    private State _state = cursor is null ? State.Ended : State.New;

    private enum State
    {
        New,
        Started,
        Ended,
    }

    public override StoredDocument Current => new DocumentRow(_cursor.Row).ToStored();

    public override bool MoveNext()
    {
        do
        {
            Step();
        }
        while (leavesOutHidden && _state == State.Started && HiddenCollection.Is(new DocumentRow(_cursor.Row).CollectionKey));

        return _state == State.Started;
    }

    private void Step()
    {
        bool isOn = (_state, order) switch
        {
            (State.Ended, _) => false,
            (State.New, EtagOrder.Ascending) => _cursor.Seek(start.Value),
            (State.New, _) => _cursor.SeekAtMost(start.Value),
            (_, EtagOrder.Ascending) => _cursor.MoveNext(),
            _ => _cursor.MovePrevious(),
        };
        _state = isOn ? State.Started : State.Ended;
    }
}
