using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Includes;

/// <summary>One kind of things that an answer includes. They are gathered while the documents are written, and written after them, if possible from the same
/// snapshot.</summary>
internal interface IInclude : IDisposable
{
    /// <summary>Notes the things that a document of the answer refers to.</summary>
    /// <param name="read">The snapshot of the document.</param>
    void Collect(DocumentReadScope read, in StoredDocument document);

    /// <summary>Writes the members of the answer, each with a comma before it.</summary>
    /// <param name="hash">Receives the versions of everything that was read.</param>
    /// <returns>Whether the answer depends on more than its documents.</returns>
    bool Write(RenewedRead read, ResponseBuffer body, ref VersionHash hash);
}
