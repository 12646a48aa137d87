using System.Text.Json;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions.Events;

/// <summary>A document is about to be saved. Changes of the object and of its metadata are saved with it.</summary>
/// <param name="documentId">Null or ending with <c>/</c> or <c>|</c>: the server completes it.</param>
public sealed class BeforeStoreEventArgs(string? documentId, object entity, MetadataDictionary metadata) : EventArgs
{
    /// <summary>Null or ending with <c>/</c> or <c>|</c>: the server completes it.</summary>
    public string? DocumentId => documentId;

    /// <summary>The object.</summary>
    public object Entity => entity;

    /// <summary>Its metadata.</summary>
    public MetadataDictionary DocumentMetadata => metadata;
}

/// <summary>A document was saved.</summary>
public sealed class AfterSaveChangesEventArgs(string documentId, object entity, MetadataDictionary metadata) : EventArgs
{
    /// <summary>As the server has it.</summary>
    public string DocumentId => documentId;

    /// <summary>The object.</summary>
    public object Entity => entity;

    /// <summary>As the server has answered.</summary>
    public MetadataDictionary DocumentMetadata => metadata;
}

/// <summary>A document is about to be deleted.</summary>
/// <param name="entity">Null: it is deleted by its id.</param>
public sealed class BeforeDeleteEventArgs(string documentId, object? entity, MetadataDictionary? metadata) : EventArgs
{
    /// <summary>Of the document.</summary>
    public string DocumentId => documentId;

    /// <summary>Null: it is deleted by its id, without having been loaded.</summary>
    public object? Entity => entity;

    /// <summary>Null without an object.</summary>
    public MetadataDictionary? DocumentMetadata => metadata;
}

/// <summary>A query is about to be sent. Its settings can be changed.</summary>
public sealed class BeforeQueryEventArgs(IndexQuery query) : EventArgs
{
    /// <summary>As it will be sent.</summary>
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

    /// <summary>Without metadata. Another one that is set is saved in its place.</summary>
    public JsonElement Document { get; set; } = document;
}

/// <summary>A document is about to become an object.</summary>
public sealed class BeforeConversionToEntityEventArgs(string documentId, Type type, JsonElement document) : EventArgs
{
    /// <summary>Of the document.</summary>
    public string DocumentId => documentId;

    /// <summary>Of the object.</summary>
    public Type Type => type;

    /// <summary>With metadata. Another one that is set is read in its place.</summary>
    public JsonElement Document { get; set; } = document;
}

/// <summary>A document has become an object.</summary>
public sealed class AfterConversionToEntityEventArgs(string documentId, JsonElement document, object entity) : EventArgs
{
    /// <summary>Of the document.</summary>
    public string DocumentId => documentId;

    /// <summary>With metadata.</summary>
    public JsonElement Document => document;

    /// <summary>The object; what is changed of it now is no change that is saved only if a conversion to a document undoes it.</summary>
    public object Entity => entity;
}
