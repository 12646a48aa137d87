namespace Jackdaw.Client.Exceptions;

/// <summary>The server refused a request, could not do it, or sent something that is not a valid answer. All errors of the client derive from this
/// class, except those for wrong arguments and wrong use.</summary>
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

    /// <summary>Everything that the server says about the error. It is longer than the message, and meant for logs.</summary>
    public string? ServerDetails { get; internal set; }

    /// <summary>Whether the same request may succeed when it is sent again.</summary>
    public virtual bool IsTransient => false;
}
