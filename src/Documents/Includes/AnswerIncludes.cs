using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Includes;

/// <summary>Everything that one answer includes besides its documents. It disposes its parts.</summary>
/// <param name="documents">Documents to which others refer. Their member comes first, and is always written.</param>
/// <param name="others">The other includes, in the order of their members.</param>
internal sealed class AnswerIncludes(IncludedDocuments documents, params IReadOnlyList<IInclude> others) : IDisposable
{
    // Most answers include documents at most, and these note themselves what they have seen.
    private readonly HashSet<string>? _collected = others.Count > 0 ? [] : null;

    /// <summary>Documents to which others refer.</summary>
    public IncludedDocuments Documents => documents;

    /// <summary>Compare exchange values that a script adds one by one; null when there is no script.</summary>
    public IncludedValues? Values { get; init; }

    /// <inheritdoc cref="IInclude.Collect"/>
    public void Collect(DocumentReadScope read, in StoredDocument document)
    {
        documents.Collect(read, document);
        if (_collected is null || !IncludedDocuments.TryNote(_collected, document))
        {
            return;
        }

        for (int i = 0; i < others.Count; i++)
        {
            others[i].Collect(read, document);
        }
    }

    /// <inheritdoc cref="IInclude.Write"/>
    public bool Write(RenewedRead read, ResponseBuffer body, ref VersionHash hash)
    {
        bool isMore = documents.Write(read, body, ref hash);
        for (int i = 0; i < others.Count; i++)
        {
            isMore |= others[i].Write(read, body, ref hash);
        }

        if (Values is not null && !others.Contains(Values))
        {
            isMore |= Values.Write(read, body, ref hash);
        }

        return isMore;
    }

    public void Dispose()
    {
        documents.Dispose();
        for (int i = 0; i < others.Count; i++)
        {
            others[i].Dispose();
        }
    }
}
