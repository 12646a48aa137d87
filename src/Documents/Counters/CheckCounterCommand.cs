using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Counters;

/// <summary>Writes nothing, but demands the etag of a counter that a script has read.</summary>
/// <param name="key">The key of the counter.</param>
/// <param name="etag">None when there must be no such counter.</param>
internal sealed class CheckCounterCommand(byte[] key, Etag etag) : DocumentCommand
{
    internal override bool HasDemand => true;

    internal override bool IsDemandMet(DocumentTransaction documents, KeyEffect earlier) =>
        etag == (CounterWrites.Of(documents).TryFind(key, out CounterRow row) ? row.Etag : Etag.None);

    internal override WriteStatus Apply(DocumentTransaction documents) =>
        IsDemandMet(documents, KeyEffect.None) ? WriteStatus.Applied : WriteStatus.Conflict;
}
