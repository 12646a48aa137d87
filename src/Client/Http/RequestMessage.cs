using Jackdaw.Client.Exceptions;

namespace Jackdaw.Client.Http;

/// <summary>One request, to be sent to any node that knows its database.</summary>
internal sealed record RequestMessage
{
    public required HttpMethod Method { get; init; }

    /// <summary>Below the database, as <c>docs?id=users/1</c>; below the server where <see cref="IsServerWide"/>.</summary>
    public required string Path { get; init; }

    /// <summary>Concerns no database.</summary>
    public bool IsServerWide { get; init; }

    /// <summary>JSON; null: no body. A read that is cached has a hash of it in its path.</summary>
    public ReadOnlyMemory<byte>? Body { get; init; }

    /// <summary>Makes a body that is no JSON in memory, in place of <see cref="Body"/>: sent once only.</summary>
    public Func<HttpContent>? Content { get; init; }

    /// <summary>Changes nothing on the server, so that it may be sent again when no answer came.</summary>
    public bool IsRead { get; init; }

    /// <summary>ETag of the answer that is known, without quotes; null: none.</summary>
    public string? IfNoneMatch { get; init; }

    /// <summary>Version that is demanded; empty: nothing must be there; null: none.</summary>
    public string? IfMatch { get; init; }

    /// <summary>Of a query, for traces; null: of none, or of an index.</summary>
    public string? Collection { get; init; }

    /// <summary>Of a query, for traces, without its values; null: no query.</summary>
    public string? QueryText { get; init; }

    /// <summary>Null: the default of the store. <see cref="Timeout.InfiniteTimeSpan"/>: none.</summary>
    public TimeSpan? Timeout { get; init; }
}

/// <summary>The answer to a request, in memory.</summary>
/// <param name="Status">HTTP status: 200 to 304, or 404.</param>
/// <param name="Body">Empty for 204, 304 and 404.</param>
/// <param name="ETag">Without quotes; null: none.</param>
internal sealed record RequestAnswer(int Status, ReadOnlyMemory<byte> Body, string? ETag)
{
    /// <summary>How long the server waited for an index before it answered; zero: it did not.</summary>
    public TimeSpan IndexWait { get; init; }

    /// <summary>What a reader has made of the body, for those who read it again; null: nothing yet.</summary>
    public object? Parsed { get; set; }

    /// <summary>A reader has found that it is no answer to its request: no cache gives it to the next one.</summary>
    public bool IsUnreadable { get; private set; }

    public bool IsMissing => Status == 404;

    public bool IsNotModified => Status == 304;

    /// <summary>Makes something of the body.</summary>
    /// <exception cref="BadResponseException">It is no answer to its request.</exception>
    public T Read<T>(Func<ReadOnlyMemory<byte>, T> read)
    {
        try
        {
            return read(Body);
        }
        catch (BadResponseException)
        {
            IsUnreadable = true;
            throw;
        }
    }
}
