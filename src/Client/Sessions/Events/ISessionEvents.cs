namespace Jackdaw.Client.Sessions.Events;

/// <summary>The events of a session, or of all sessions of a store.</summary>
public interface ISessionEvents
{
    /// <inheritdoc cref="SessionEventSource.OnBeforeStore"/>
    event EventHandler<BeforeStoreEventArgs>? OnBeforeStore;

    /// <inheritdoc cref="SessionEventSource.OnAfterSaveChanges"/>
    event EventHandler<AfterSaveChangesEventArgs>? OnAfterSaveChanges;

    /// <inheritdoc cref="SessionEventSource.OnBeforeDelete"/>
    event EventHandler<BeforeDeleteEventArgs>? OnBeforeDelete;

    /// <inheritdoc cref="SessionEventSource.OnBeforeQuery"/>
    event EventHandler<BeforeQueryEventArgs>? OnBeforeQuery;

    /// <inheritdoc cref="SessionEventSource.OnBeforeConversionToDocument"/>
    event EventHandler<BeforeConversionToDocumentEventArgs>? OnBeforeConversionToDocument;

    /// <inheritdoc cref="SessionEventSource.OnAfterConversionToDocument"/>
    event EventHandler<AfterConversionToDocumentEventArgs>? OnAfterConversionToDocument;

    /// <inheritdoc cref="SessionEventSource.OnBeforeConversionToEntity"/>
    event EventHandler<BeforeConversionToEntityEventArgs>? OnBeforeConversionToEntity;

    /// <inheritdoc cref="SessionEventSource.OnAfterConversionToEntity"/>
    event EventHandler<AfterConversionToEntityEventArgs>? OnAfterConversionToEntity;
}
