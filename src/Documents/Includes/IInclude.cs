using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Includes;

/// <summary>One kind of things that an answer brings along with its documents: gathered while the documents are written, and written after
/// them, if possible from the same snapshot.</summary>
internal interface IInclude : IDisposable
{
    /// <summary>Notes what a document of the answer asks for.</summary>
    /// <param name="read">What the document was read from.</param>
    void Collect(DocumentReadScope read, in StoredDocument document);

    /// <summary>Writes its members of the answer, each with a comma before it.</summary>
    /// <param name="hash">Gets the version of all that was read.</param>
    /// <returns>Whether the answer depends on more than its documents.</returns>
    bool Write(RenewedRead read, ResponseBuffer body, ref VersionHash hash);
}
