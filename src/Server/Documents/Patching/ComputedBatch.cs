using System.Diagnostics;
using System.Text;
using Jackdaw.Server.Documents.Commands;
using Jackdaw.Server.Documents.Counters;
using Jackdaw.Server.Documents.Identity;
using Jackdaw.Server.Documents.Parsing;
using Jackdaw.Server.Scripting;

namespace Jackdaw.Server.Documents.Patching;

/// <summary>Makes of a batch with computed commands one that the writer can apply: first checks of all versions that were read, then the
/// writes.</summary>
/// <remarks>One attempt: when a check fails, the batch is made anew from a newer snapshot. On the request's thread.</remarks>
internal sealed class ComputedBatch(PatchView view, PatchScripts scripts, CancellationToken ended)
{
    /// <summary>How long the scripts of one batch may take together. Milliseconds: the snapshot is held for so long, and pages that were
    /// replaced meanwhile are kept.</summary>
    public const int ScriptsMsMax = 30_000;

    /// <summary>What a batch may hold of documents that it found and wrote, besides those of its last patch. Bytes: as many as the largest
    /// batch that a client can send.</summary>
    public const long BytesMax = 2L * DocumentLimits.DocumentBytesMax;

    private readonly List<DocumentCommand> _writes = [];
    private readonly long _began = Stopwatch.GetTimestamp();
    private long _bytes;

    public PatchView View => view;

    /// <summary>Fires when nobody waits for the result any more.</summary>
    public CancellationToken Ended => ended;

    /// <summary>Gets what scripts do and say; null: nobody wants that.</summary>
    public PatchTrace? Trace { get; init; }

    /// <summary>Commands in front of the result that only check versions.</summary>
    public int Checks { get; private set; }

    /// <summary>Makes the batch.</summary>
    /// <returns>Null: there is nothing to write.</returns>
    public WriteBatch? Make(ReadOnlySpan<DocumentCommand> commands)
    {
        foreach (DocumentCommand command in commands)
        {
            ended.ThrowIfCancellationRequested();
            switch (command)
            {
                case ComputedCommand computed:
                    computed.Compute(this);
                    break;
                default:
                    Foresee(command);
                    _writes.Add(command); // The request holds its bytes.
                    break;
            }
        }

        if (_writes.Count == 0)
        {
            return null;
        }

        DocumentCommand[] all = [.. MakeChecks(), .. _writes];
        Checks = all.Length - _writes.Count;
        return new WriteBatch { Commands = all };
    }

    /// <summary>Finds the document of the next patch; null when there is none.</summary>
    /// <exception cref="PatchSizeException">The patches before it left no room.</exception>
    public ViewedDocument? Find(ReadOnlySpan<byte> key)
    {
        ended.ThrowIfCancellationRequested();
        return _bytes + view.NotedBytes <= BytesMax
            ? view.Find(key)
            : throw new PatchSizeException(
                $"The documents that the patches of this batch find and write have more than {BytesMax >> 20} MB together. " +
                "Nothing of it was written; send the patches in several batches.");
    }

    /// <summary>Makes the result that a patch holds until it is answered.</summary>
    /// <param name="withDocument">Whether the answer has the document.</param>
    public PatchResult Keep(PatchResult result, bool withDocument)
    {
        _bytes += DocumentCommand.FixedBytes;
        if (!withDocument)
        {
            return result with { Before = result.Before?.WithoutForm(), After = null };
        }

        _bytes += result.Before?.Form.Bytes.Length ?? 0;
        return result;
    }

    /// <summary>Runs a script on a document, and adds what it writes.</summary>
    public ScriptedDocument Run(
        PatchScript script, string id, ReadOnlyMemory<byte> key, ScriptDocument document)
    {
        if (Stopwatch.GetElapsedTime(_began).TotalMilliseconds > ScriptsMsMax)
        {
            throw new JavaScriptException(ScriptError.Time,
                $"The scripts of this batch run longer than {ScriptsMsMax / 1000} seconds together. Nothing of it was written; send smaller batches.",
                null);
        }

        ScriptedChange change = scripts.Run(script.Parsed ?? scripts.Parse(script.Text), document, script.Values, view, Trace, ended);
        List<ScriptedWrite> counters = [];
        foreach (ScriptedWrite write in change.Others)
        {
            bool isOwn = write.Counters is not null && write.Key.AsSpan().SequenceEqual(key.Span);
            if (isOwn)
            {
                counters.Add(write);
            }

            // The document may be new: its counters come after it.
            if (!isOwn || change.Document is null)
            {
                Add(write);
            }
        }

        CountersCommand? last = counters.LastOrDefault()?.Counters;
        if (change.Document is not { } after)
        {
            bool isDeleted = view.Find(key.Span) is null && change.Others.Count > 0;
            return new ScriptedDocument(null, null, isDeleted, last);
        }

        PutCommand put = Put(Encoding.UTF8.GetBytes(id), key, after);
        counters.ForEach(Add);
        return new ScriptedDocument(after, put, false, last);
    }

    /// <summary>Adds the write of a document.</summary>
    public PutCommand Put(ReadOnlyMemory<byte> id, ReadOnlyMemory<byte> key, ParsedDocument document)
    {
        var put = new PutCommand { Document = document };
        put.SetId(id, key);
        AddWrite(put);
        view.Put(key.ToArray(), id, document);
        return put;
    }

    private void Add(ScriptedWrite write)
    {
        if (write.Counters is not null)
        {
            AddWrite(write.Counters);
            return;
        }

        if (write.Document is { } document)
        {
            var put = new PutCommand { Document = document };
            put.SetId(write.Id, write.Key);
            AddWrite(put);
            return;
        }

        var delete = new DeleteCommand();
        delete.SetId(write.Id, write.Key);
        AddWrite(delete);
    }

    private void AddWrite(DocumentCommand write)
    {
        _bytes += write.SizeBytes;
        _writes.Add(write);
    }

    // What later scripts of the batch see of an ordinary command. An id that only the writer completes is not known to anybody yet.
    private void Foresee(DocumentCommand command)
    {
        switch (command)
        {
            case PutCommand { Effect: KeyEffect.Write } put when !put.Key.IsEmpty:
                view.Put(put.Key.ToArray(), put.Id, put.Document);
                break;
            case DeleteCommand delete:
                view.Remove(delete.Key.ToArray());
                break;
            case CountersCommand counters:
                foreach (CounterOperation operation in counters.Operations)
                {
                    view.Counters.Foresee(counters.Key.Span, operation);
                }

                break;
            case DeletePrefixCommand prefix:
                view.RemovePrefix(prefix.Key.ToArray());
                break;
        }
    }

    private IEnumerable<DocumentCommand> MakeChecks()
    {
        foreach ((byte[] key, ExpectedVersion version) in view.Versions)
        {
            var check = new CheckCommand { Expected = version };
            check.SetId(key, key);
            yield return check;
        }

        foreach ((byte[] key, long index) in view.Indexes)
        {
            yield return new CheckCompareExchangeCommand(key, index);
        }

        foreach ((byte[] key, Etag etag) in view.Counters.Etags)
        {
            yield return new CheckCounterCommand(key, etag);
        }
    }
}
