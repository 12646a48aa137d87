using Jackdaw.Client.Indexes.Translation;

namespace Jackdaw.Client.Indexes;

/// <summary>Methods that maps and reduces can call. They work only within their expressions; a call anywhere else throws
/// <see cref="NotSupportedException"/>.</summary>
public abstract class AbstractCommonApiForIndexes
{
    private protected AbstractCommonApiForIndexes()
    {
    }

    /// <summary>Loads documents without a reference to them.</summary>
    [IndexFunction]
    protected UntrackedLoading NoTracking => throw OnlyOnServer.Error();

    /// <summary>Loads another document, of the collection of its type. When it changes, the documents that have loaded it are indexed
    /// again.</summary>
    [IndexFunction]
    protected T LoadDocument<T>(string? id) => throw OnlyOnServer.Error();

    /// <summary>Another document, of a collection.</summary>
    [IndexFunction]
    protected T LoadDocument<T>(string? id, string collection) => throw OnlyOnServer.Error();

    /// <summary>Other documents, in the order of the ids.</summary>
    [IndexFunction]
    protected IEnumerable<T> LoadDocument<T>(IEnumerable<string> ids) => throw OnlyOnServer.Error();

    /// <summary>Other documents, of a collection, in the order of the ids.</summary>
    [IndexFunction]
    protected IEnumerable<T> LoadDocument<T>(IEnumerable<string> ids, string collection) => throw OnlyOnServer.Error();

    /// <summary>Loads a compare exchange value. When it changes, the documents that have loaded it are indexed again.</summary>
    [IndexFunction]
    protected T LoadCompareExchangeValue<T>(string? key) => throw OnlyOnServer.Error();

    /// <summary>The values of compare exchange items.</summary>
    [IndexFunction]
    protected IEnumerable<T> LoadCompareExchangeValue<T>(IEnumerable<string> keys) => throw OnlyOnServer.Error();

    /// <summary>A field whose name is computed: <c>_ = x.Attributes.Select(a => CreateField(a.Key, a.Value))</c>.</summary>
    [IndexFunction]
    protected object CreateField(string name, object? value) => throw OnlyOnServer.Error();

    /// <inheritdoc cref="CreateField(string, object?)"/>
    /// <param name="stored">Whether the index stores its value.</param>
    /// <param name="analyzed">Whether it is searched by its words; otherwise it is searched as a whole.</param>
    [IndexFunction]
    protected object CreateField(string name, object? value, bool stored, bool analyzed) => throw OnlyOnServer.Error();

    /// <inheritdoc cref="CreateField(string, object?)"/>
    [IndexFunction]
    protected object CreateField(string name, object? value, CreateFieldOptions options) => throw OnlyOnServer.Error();

    /// <summary>A point.</summary>
    [IndexFunction]
    protected object CreateSpatialField(double? latitude, double? longitude) => throw OnlyOnServer.Error();

    /// <summary>A shape in well-known text.</summary>
    [IndexFunction]
    protected object CreateSpatialField(string? shape) => throw OnlyOnServer.Error();

    /// <summary>A vector: an array of numbers, an <c>EmbeddingVector</c>, a text in base64, or a list of such.</summary>
    [IndexFunction]
    protected object CreateVector(object? value) => throw OnlyOnServer.Error();

    /// <summary>The metadata of a document.</summary>
    [IndexFunction]
    protected IndexMetadata MetadataFor(object document) => throw OnlyOnServer.Error();

    /// <summary>A document whose members are read by their names.</summary>
    [IndexFunction]
    protected IReadOnlyDictionary<string, object?> AsJson(object document) => throw OnlyOnServer.Error();

    /// <summary>A value as its JSON.</summary>
    [IndexFunction]
    protected string ToJsonString(object? value) => throw OnlyOnServer.Error();

    /// <summary>An object and all objects that can be reached from it, each once.</summary>
    [IndexFunction]
    protected IEnumerable<T> Recurse<T>(T start, Func<T, IEnumerable<T>?> next) => throw OnlyOnServer.Error();

    /// <summary>An object and all objects that can be reached from it, each once.</summary>
    [IndexFunction]
    protected IEnumerable<T> Recurse<T>(T start, Func<T, T?> next) => throw OnlyOnServer.Error();

    /// <summary>Makes hits of this value, or of the whole entry, count more.</summary>
    [IndexFunction]
    protected T Boost<T>(T value, float factor) => throw OnlyOnServer.Error();

    /// <summary>A value as a simple type; null if it cannot be converted.</summary>
    [IndexFunction]
    protected T? TryConvert<T>(object? value) where T : struct => throw OnlyOnServer.Error();

    /// <summary>The day of a text or time.</summary>
    [IndexFunction]
    protected DateOnly? AsDateOnly(object? value) => throw OnlyOnServer.Error();

    /// <summary>The time of day of a text or time.</summary>
    [IndexFunction]
    protected TimeOnly? AsTimeOnly(object? value) => throw OnlyOnServer.Error();

    /// <summary>The attachments of a document, without their contents.</summary>
    [IndexFunction]
    protected IEnumerable<IndexedAttachment> AttachmentsFor(object document) => throw OnlyOnServer.Error();

    /// <summary>An attachment with its content.</summary>
    [IndexFunction]
    protected IndexedAttachment LoadAttachment(object document, string name) => throw OnlyOnServer.Error();

    /// <summary>All attachments of a document with their contents.</summary>
    [IndexFunction]
    protected IEnumerable<IndexedAttachment> LoadAttachments(object document) => throw OnlyOnServer.Error();

    /// <summary>Names of the counters of a document.</summary>
    [IndexFunction]
    protected IEnumerable<string> CounterNamesFor(object document) => throw OnlyOnServer.Error();
}
