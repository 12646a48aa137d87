using Jackdaw.Json;

namespace Jackdaw.Documents.Changes;

/// <summary>An extension of documents whose changes clients can watch.</summary>
internal interface IWatchedExtension
{
    /// <summary>The names in the protocol.</summary>
    ExtensionWatches Watches { get; }

    /// <summary>Whether anything of it can change in this version. If not, its watches are accepted and never get a notice.</summary>
    bool HasChanges => true;

    /// <summary>The name of a kind of change in notices.</summary>
    string NameOf(ChangeKind kind) => kind switch
    {
        ChangeKind.ExtensionPut => "Put",
        ChangeKind.ExtensionDelete => "Delete",
        _ => "Change",
    };

    /// <summary>Writes the value in a notice, as JSON.</summary>
    /// <param name="payload">The payload of the change.</param>
    void WriteValue(ReadOnlySpan<byte> payload, PooledBuffer output) => output.Append("null"u8);
}

/// <summary>The names of notices and of watches, each without the <c>watch-</c> before it.</summary>
/// <param name="NoticeType">The type of the notices: <c>CounterChange</c>.</param>
/// <param name="All">Watches everything of the kind: <c>counters</c>.</param>
/// <param name="OfName">Watches one name in any document: <c>counter</c>.</param>
/// <param name="OfDocument">Watches everything of one document: <c>document-counters</c>.</param>
/// <param name="OfDocumentAndName">Watches one name in one document: <c>document-counter</c>.</param>
internal sealed record ExtensionWatches(string NoticeType, string All, string OfName, string OfDocument, string OfDocumentAndName);
