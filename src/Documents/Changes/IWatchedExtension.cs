using Jackdaw.Json;

namespace Jackdaw.Documents.Changes;

/// <summary>An extension of documents whose changes clients can watch.</summary>
internal interface IWatchedExtension
{
    /// <summary>The names on the wire.</summary>
    ExtensionWatches Watches { get; }

    /// <summary>How notices call a kind of change.</summary>
    string NameOf(ChangeKind kind) => kind switch
    {
        ChangeKind.ExtensionPut => "Put",
        ChangeKind.ExtensionDelete => "Delete",
        _ => "Change",
    };

    /// <summary>Writes the value that a notice tells, as JSON.</summary>
    /// <param name="payload">Of the change.</param>
    void WriteValue(ReadOnlySpan<byte> payload, PooledBuffer output) => output.Append("null"u8);
}

/// <summary>Names of notices and of what can be watched, each without the <c>watch-</c> before it.</summary>
/// <param name="NoticeType">Type of the notices: <c>CounterChange</c>.</param>
/// <param name="All">All of the kind: <c>counters</c>.</param>
/// <param name="OfName">Those of one name, of any document: <c>counter</c>.</param>
/// <param name="OfDocument">Those of one document: <c>document-counters</c>.</param>
/// <param name="OfDocumentAndName">One of one document: <c>document-counter</c>.</param>
internal sealed record ExtensionWatches(string NoticeType, string All, string OfName, string OfDocument, string OfDocumentAndName);
