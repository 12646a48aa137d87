using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Server.SampleShop;

/// <summary>Writes nothing, and refuses its batch if the database holds a document already.</summary>
/// <param name="reason">Why the others of the batch need an empty database, as a sentence, and what to do.</param>
internal sealed class ExpectNoDocumentsCommand(string reason) : DocumentCommand
{
    private long _found;

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        _found = documents.ShownDocuments;
        return _found == 0 ? WriteStatus.Applied : WriteStatus.Conflict;
    }

    internal override Refusal MakeRefusal(WriteBatch batch, INamedDatabase database) =>
        new(RefusalKind.Conflict, Explain(database.Name, _found, reason));

    /// <summary>The message of the refusal.</summary>
    public static string Explain(string database, long found, string reason) =>
        $"Database '{database}' already holds {(found == 1 ? "a document" : $"{found} documents")}, so nothing was written. {reason}";
}
