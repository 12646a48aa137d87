namespace Jackdaw.Client.Exceptions;

/// <summary>Something that the server refused or could not do, or an answer that is none. All errors of the client derive from it, except those of
/// wrong arguments and wrong use.</summary>
public class DocumentDatabaseException : Exception
{
    public DocumentDatabaseException(string message, Exception? inner = null) : base(message, inner)
    {
    }

    /// <summary>Address of the request, when there was one.</summary>
    public Uri? RequestUri { get; internal set; }

    /// <summary>Status of the answer; 0 when there was none.</summary>
    public int StatusCode { get; internal set; }

    /// <summary>Full name of the error's type as the server gave it.</summary>
    public string? ServerType { get; internal set; }

    /// <summary>All that the server says of the error: longer than the message, for logs.</summary>
    public string? ServerDetails { get; internal set; }

    /// <summary>The same request may succeed when it is sent again.</summary>
    public virtual bool IsTransient => false;
}
