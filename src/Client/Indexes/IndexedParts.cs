using Jackdaw.Client.Indexes.Translation;

namespace Jackdaw.Client.Indexes;

/// <summary>One counter of a document, in a map of counters.</summary>
public sealed class CounterEntry
{
    /// <summary>Id of the document.</summary>
    public required string DocumentId { get; init; }

    /// <summary>Name of the counter.</summary>
    public required string Name { get; init; }

    /// <summary>Its value.</summary>
    public required long Value { get; init; }
}

/// <summary>The metadata of a document, in a map.</summary>
public sealed class IndexMetadata
{
    private IndexMetadata()
    {
    }

    /// <summary>A member, such as <c>@collection</c>.</summary>
    public object? this[string name] => throw OnlyOnServer.Error();

    /// <summary>A member as a type: <c>MetadataFor(x).Value&lt;DateTime&gt;("@last-modified")</c>.</summary>
    [IndexFunction("this")]
    public T Value<T>(string name) => throw OnlyOnServer.Error();
}

/// <summary>An attachment of a document, in a map.</summary>
public sealed class IndexedAttachment
{
    private IndexedAttachment()
    {
    }

    /// <summary>Name of the attachment.</summary>
    public string Name => throw OnlyOnServer.Error();

    /// <summary>Hash of its content.</summary>
    public string Hash => throw OnlyOnServer.Error();

    /// <summary>Type of its content.</summary>
    public string ContentType => throw OnlyOnServer.Error();

    /// <summary>Bytes of its content.</summary>
    public long Size => throw OnlyOnServer.Error();

    /// <summary>The content. Only for an attachment that was loaded.</summary>
    [IndexFunction("this")]
    public string GetContentAsString() => throw OnlyOnServer.Error();
}

/// <summary>Loads without a reference: when the loaded document changes, nothing is indexed again.</summary>
public sealed class UntrackedLoading
{
    private UntrackedLoading()
    {
    }

    /// <inheritdoc cref="AbstractCommonApiForIndexes.LoadDocument{T}(string)"/>
    [IndexFunction("NoTracking")]
    public T LoadDocument<T>(string? id) => throw OnlyOnServer.Error();

    /// <inheritdoc cref="AbstractCommonApiForIndexes.LoadDocument{T}(IEnumerable{string})"/>
    [IndexFunction("NoTracking")]
    public IEnumerable<T> LoadDocument<T>(IEnumerable<string> ids) => throw OnlyOnServer.Error();

    /// <inheritdoc cref="AbstractCommonApiForIndexes.LoadCompareExchangeValue{T}(string)"/>
    [IndexFunction("NoTracking")]
    public T LoadCompareExchangeValue<T>(string? key) => throw OnlyOnServer.Error();
}

internal static class OnlyOnServer
{
    public static NotSupportedException Error() => new("Functions of indexes have a meaning only within the expressions of a map or reduce.");
}
