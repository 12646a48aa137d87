using System.Text.Json;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions.Events;

/// <summary>A document is about to be saved. Changes of the object and of its metadata are saved with it.</summary>
/// <param name="documentId">The id. If it is null or ends with <c>/</c> or <c>|</c>, the server completes it.</param>
public sealed class BeforeStoreEventArgs(string? documentId, object entity, MetadataDictionary metadata) : EventArgs
{
    /// <summary>The id. If it is null or ends with <c>/</c> or <c>|</c>, the server completes it.</summary>
    public string? DocumentId => documentId;

    /// <summary>The object.</summary>
    public object Entity => entity;

    /// <summary>Its metadata.</summary>
    public MetadataDictionary DocumentMetadata => metadata;
}

/// <summary>A document was saved.</summary>
public sealed class AfterSaveChangesEventArgs(string documentId, object entity, MetadataDictionary metadata) : EventArgs
{
    /// <summary>The id on the server.</summary>
    public string DocumentId => documentId;

    /// <summary>The object.</summary>
    public object Entity => entity;

    /// <summary>The metadata as the server has answered it.</summary>
    public MetadataDictionary DocumentMetadata => metadata;
}

/// <summary>A document is about to be deleted.</summary>
/// <param name="entity">The object; null if the document is deleted by its id.</param>
public sealed class BeforeDeleteEventArgs(string documentId, object? entity, MetadataDictionary? metadata) : EventArgs
{
    /// <summary>Of the document.</summary>
    public string DocumentId => documentId;

    /// <summary>The object; null if the document is deleted by its id without having been loaded.</summary>
    public object? Entity => entity;

    /// <summary>Null without an object.</summary>
    public MetadataDictionary? DocumentMetadata => metadata;
}

/// <summary>A query is about to be sent. Its settings can be changed.</summary>
public sealed class BeforeQueryEventArgs(IndexQuery query) : EventArgs
{
    /// <summary>The query as it will be sent.</summary>
    public IndexQuery Query => query;
}

/// <summary>An object is about to become JSON: to be saved, or to find out whether it has changed.</summary>
public sealed class BeforeConversionToDocumentEventArgs(string? documentId, object entity) : EventArgs
{
    /// <summary>Null: it has none yet.</summary>
    public string? DocumentId => documentId;

    /// <summary>The object.</summary>
    public object Entity => entity;
}

/// <summary>An object has become JSON.</summary>
public sealed class AfterConversionToDocumentEventArgs(string? documentId, object entity, JsonElement document) : EventArgs
{
    /// <summary>Null: it has none yet.</summary>
    public string? DocumentId => documentId;

    /// <summary>The object.</summary>
    public object Entity => entity;

    /// <summary>The document without metadata. If another one is set, that one is saved instead.</summary>
    public JsonElement Document { get; set; } = document;
}

/// <summary>A document is about to become an object.</summary>
public sealed class BeforeConversionToEntityEventArgs(string documentId, Type type, JsonElement document) : EventArgs
{
    /// <summary>Of the document.</summary>
    public string DocumentId => documentId;

    /// <summary>Of the object.</summary>
    public Type Type => type;

    /// <summary>The document with metadata. If another one is set, that one is read instead.</summary>
    public JsonElement Document { get; set; } = document;
}

/// <summary>A document has become an object.</summary>
public sealed class AfterConversionToEntityEventArgs(string documentId, JsonElement document, object entity) : EventArgs
{
    /// <summary>Of the document.</summary>
    public string DocumentId => documentId;

    /// <summary>With metadata.</summary>
    public JsonElement Document => document;

    /// <summary>The object. Changes that are made to it now are saved later, unless a conversion to a document undoes them.</summary>
    public object Entity => entity;
}
