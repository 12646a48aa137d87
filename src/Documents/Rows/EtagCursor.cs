using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Rows;

/// <summary>Walks documents by etag, in either direction.</summary>
internal sealed class EtagCursor(TableNumberCursor? cursor, EtagOrder order, Etag start) : DocumentCursor
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
        bool isOn = (_state, order) switch
        {
            (State.Ended, _) => false,
            (State.New, EtagOrder.Ascending) => _cursor.Seek(start.Value),
            (State.New, _) => _cursor.SeekAtMost(start.Value),
            (_, EtagOrder.Ascending) => _cursor.MoveNext(),
            _ => _cursor.MovePrevious(),
        };
        _state = isOn ? State.Started : State.Ended;
        return isOn;
    }
}
