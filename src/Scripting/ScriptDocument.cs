namespace Jackdaw.Scripting;

/// <summary>A document as a script gets it.</summary>
/// <remarks>Its bytes must stay as they are until the run ends.</remarks>
internal sealed class ScriptDocument
{
    /// <summary>Id in the casing of the first write; null if this is not a stored document.</summary>
    public string? Id { get; init; }

    /// <summary>A JSON object in UTF-8, with <c>@metadata</c> if it has any.</summary>
    public required ReadOnlyMemory<byte> Json { get; init; }

    public string? ChangeVector { get; init; }

    /// <summary>Null when it is not known.</summary>
    public long? Etag { get; init; }

    /// <summary>The flags as clients see them, such as "HasRevisions"; null for none.</summary>
    public string? Flags { get; init; }

    /// <summary>UTC; null when it is not known.</summary>
    public DateTime? LastModified { get; init; }
}

/// <summary>What scripts may ask for in addition to their arguments. Every member is called on the thread of the run.</summary>
/// <remarks>The default of each member is "not available here", so that a host implements only what it offers.</remarks>
internal interface IScriptHost
{
    /// <summary>Reads a document for <c>load</c>.</summary>
    /// <param name="collection">The collection that the script named, for the references of an index; null when it named none.</param>
    /// <returns>Null when there is none of that id.</returns>
    ScriptDocument? Load(string id, string? collection) => throw new NotSupportedException();

    /// <summary>Reads a value for <c>cmpxchg</c>: JSON in UTF-8; null when there is none of that key.</summary>
    ReadOnlyMemory<byte>? GetCompareExchange(string key) => throw new NotSupportedException();

    /// <summary>Reads what a document has under a name, for <c>counter</c> and <c>counterRaw</c>: JSON in UTF-8; null when there is
    /// nothing.</summary>
    /// <param name="function">The function that asks.</param>
    ReadOnlyMemory<byte>? GetOfDocument(string function, string id, string name) => throw new NotSupportedException();

    /// <summary>Takes the id of a document that the answer shall include.</summary>
    void Include(string id) => throw new NotSupportedException();

    /// <summary>Takes the key of a compare exchange value that the answer shall include.</summary>
    void IncludeCompareExchange(string key) => throw new NotSupportedException();

    /// <summary>Takes a line of <c>output</c> and <c>console.log</c>; dropped unless the host wants it.</summary>
    void Output(string line)
    {
    }
}
