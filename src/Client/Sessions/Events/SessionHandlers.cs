namespace Jackdaw.Client.Sessions.Events;

/// <summary>The handlers of a session's events. An object that others can see is not changed: each change makes a copy.</summary>
internal sealed class SessionHandlers
{
    public static readonly SessionHandlers None = new();

    public EventHandler<BeforeStoreEventArgs>? BeforeStore { get; set; }

    public EventHandler<AfterSaveChangesEventArgs>? AfterSaveChanges { get; set; }

    public EventHandler<BeforeDeleteEventArgs>? BeforeDelete { get; set; }

    public EventHandler<BeforeQueryEventArgs>? BeforeQuery { get; set; }

    public EventHandler<BeforeConversionToDocumentEventArgs>? BeforeConversionToDocument { get; set; }

    public EventHandler<AfterConversionToDocumentEventArgs>? AfterConversionToDocument { get; set; }

    public EventHandler<BeforeConversionToEntityEventArgs>? BeforeConversionToEntity { get; set; }

    public EventHandler<AfterConversionToEntityEventArgs>? AfterConversionToEntity { get; set; }

    public SessionHandlers Copy() => (SessionHandlers)MemberwiseClone();
}
