using Jackdaw.Client.Exceptions;

namespace Jackdaw.Client.Http;

/// <summary>One request, to be sent to any node that knows its database.</summary>
internal sealed record RequestMessage
{
    public required HttpMethod Method { get; init; }

    /// <summary>Path below the database, such as <c>docs?id=users/1</c>; below the server if <see cref="IsServerWide"/>.</summary>
    public required string Path { get; init; }

    /// <summary>The id, if this is the plain load of one document; otherwise null.</summary>
    public string? LoadedId { get; init; }

    /// <summary>Whether the request concerns no database.</summary>
    public bool IsServerWide { get; init; }

    /// <summary>JSON, or null for no body. The path of a cached read contains a hash of it.</summary>
    public ReadOnlyMemory<byte>? Body { get; init; }

    /// <summary>Makes a body that is not JSON in memory, instead of <see cref="Body"/>. It is sent only once.</summary>
    public Func<HttpContent>? Content { get; init; }

    /// <summary>Whether the request changes nothing on the server, so that it may be sent again when no answer came.</summary>
    public bool IsRead { get; init; }

    /// <summary>ETag of the known answer, without quotes; null for none.</summary>
    public string? IfNoneMatch { get; init; }

    /// <summary>Version that is expected. Empty if nothing may be stored; null for any.</summary>
    public string? IfMatch { get; init; }

    /// <summary>Collection of a query, for traces; null if this is not a query, or a query of an index.</summary>
    public string? Collection { get; init; }

    /// <summary>Text of a query without its values, for traces; null if this is not a query.</summary>
    public string? QueryText { get; init; }

    /// <summary>The request as a user knows it, for messages: a query, a load, or its address.</summary>
    public string Description
    {
        get
        {
            const string load = "docs?id=";
            string path = Uri.UnescapeDataString(Path);
            return QueryText is { } query ? $"The query \"{query}\""
                : Method == HttpMethod.Get && path.StartsWith(load, StringComparison.Ordinal) ? $"The load of {path[load.Length..].Replace("&id=", ", ")}"
                : $"{Method} {path}";
        }
    }

    /// <summary>Time limit of the request. Null for the default of the store, <see cref="Timeout.InfiniteTimeSpan"/> for none.</summary>
    public TimeSpan? Timeout { get; init; }
}

/// <summary>The answer to a request, in memory.</summary>
/// <param name="Status">HTTP status: 200 to 304, or 404.</param>
/// <param name="Body">Empty for 204, 304 and 404.</param>
/// <param name="ETag">The ETag without quotes; null for none.</param>
internal sealed record RequestAnswer(int Status, ReadOnlyMemory<byte> Body, string? ETag)
{
    /// <summary>How long the server waited for an index before it answered; zero if it did not wait.</summary>
    public TimeSpan IndexWait { get; init; }

    /// <summary>What a reader has made of the body, for those who read it again; null: nothing yet.</summary>
    public object? Parsed { get; set; }

    /// <summary>Whether a reader has found that it is not an answer to its request. No cache gives it to the next reader then.</summary>
    public bool IsUnreadable { get; private set; }

    /// <summary>Notes that a reader could not read it.</summary>
    public void SetUnreadable() => IsUnreadable = true;

    public bool IsMissing => Status == 404;

    public bool IsNotModified => Status == 304;

    /// <summary>Parses the body.</summary>
    /// <exception cref="BadResponseException">The body is not an answer to its request.</exception>
    public T Read<T>(Func<ReadOnlyMemory<byte>, T> read)
    {
        try
        {
            return read(Body);
        }
        catch (BadResponseException)
        {
            SetUnreadable();
            throw;
        }
    }
}
