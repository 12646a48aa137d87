namespace Jackdaw.Client.Sessions.Events;

/// <summary>The events of a session, or of all sessions of a store.</summary>
/// <remarks>The sender is the session. Handlers run on its thread, within its call, and must not call the session except for its metadata. An
/// exception of a handler ends the call. Handlers of a store apply to sessions that are opened later.</remarks>
public abstract class SessionEventSource
{
    private SessionHandlers _handlers;

    private protected SessionEventSource(SessionHandlers handlers) => _handlers = handlers;

    internal SessionHandlers Handlers => Volatile.Read(ref _handlers);

    /// <summary>Raised before each document that a save sends.</summary>
    public event EventHandler<BeforeStoreEventArgs>? OnBeforeStore
    {
        add => Change(all => all.BeforeStore += value);
        remove => Change(all => all.BeforeStore -= value);
    }

    /// <summary>Raised after a save, for each document that it has stored.</summary>
    public event EventHandler<AfterSaveChangesEventArgs>? OnAfterSaveChanges
    {
        add => Change(all => all.AfterSaveChanges += value);
        remove => Change(all => all.AfterSaveChanges -= value);
    }

    /// <summary>Raised before each document that a save deletes.</summary>
    public event EventHandler<BeforeDeleteEventArgs>? OnBeforeDelete
    {
        add => Change(all => all.BeforeDelete += value);
        remove => Change(all => all.BeforeDelete -= value);
    }

    /// <summary>Raised before a query is sent.</summary>
    public event EventHandler<BeforeQueryEventArgs>? OnBeforeQuery
    {
        add => Change(all => all.BeforeQuery += value);
        remove => Change(all => all.BeforeQuery -= value);
    }

    /// <summary>Raised before an object becomes JSON.</summary>
    public event EventHandler<BeforeConversionToDocumentEventArgs>? OnBeforeConversionToDocument
    {
        add => Change(all => all.BeforeConversionToDocument += value);
        remove => Change(all => all.BeforeConversionToDocument -= value);
    }

    /// <summary>Raised after an object has become JSON.</summary>
    public event EventHandler<AfterConversionToDocumentEventArgs>? OnAfterConversionToDocument
    {
        add => Change(all => all.AfterConversionToDocument += value);
        remove => Change(all => all.AfterConversionToDocument -= value);
    }

    /// <summary>Raised before a document becomes an object.</summary>
    public event EventHandler<BeforeConversionToEntityEventArgs>? OnBeforeConversionToEntity
    {
        add => Change(all => all.BeforeConversionToEntity += value);
        remove => Change(all => all.BeforeConversionToEntity -= value);
    }

    /// <summary>Raised after a document has become an object.</summary>
    public event EventHandler<AfterConversionToEntityEventArgs>? OnAfterConversionToEntity
    {
        add => Change(all => all.AfterConversionToEntity += value);
        remove => Change(all => all.AfterConversionToEntity -= value);
    }

    private void Change(Action<SessionHandlers> change)
    {
        SessionHandlers known = Handlers;
        while (true)
        {
            SessionHandlers changed = known.Copy();
            change(changed);
            SessionHandlers found = Interlocked.CompareExchange(ref _handlers, changed, known);
            if (found == known)
            {
                return;
            }

            known = found;
        }
    }
}
