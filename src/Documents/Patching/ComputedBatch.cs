using System.Text;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;
using Jackdaw.Scripting;

namespace Jackdaw.Documents.Patching;

/// <summary>Turns a batch with computed commands into one that the writer can apply: first come checks of all versions that were read, then the
/// writes.</summary>
/// <remarks>It serves one attempt: when a check fails, the batch is made again from a newer snapshot. It runs on the request's thread.</remarks>
/// <param name="view">The documents that the commands see.</param>
/// <param name="scripts">Runs their scripts.</param>
/// <param name="time">The clock of <see cref="ComputeMsMax"/>.</param>
/// <param name="ended">Is cancelled when nobody waits for the result any more.</param>
internal sealed class ComputedBatch(PatchView view, PatchScripts scripts, TimeProvider time, CancellationToken ended)
{
    /// <summary>How long all patches of one batch may take, in milliseconds. The snapshot is held for that time, in which replaced pages cannot be
    /// freed.</summary>
    public const int ComputeMsMax = 30_000;

    /// <summary>The most bytes of documents that a batch may hold because it found or wrote them, besides those of its last patch: as many as the largest batch
    /// that a client can send.</summary>
    public const long BytesMax = 2L * DocumentLimits.DocumentBytesMax;

    private readonly List<DocumentCommand> _writes = [];
    private readonly long _began = time.GetTimestamp();
    private long _bytes;

    public PatchView View => view;

    /// <summary>Records the actions and outputs of scripts; null when nobody wants them.</summary>
    public PatchTrace? Trace { get; init; }

    /// <summary>The number of commands at the beginning of the result that only check versions.</summary>
    public int Checks { get; private set; }

    /// <summary>Makes the batch.</summary>
    /// <returns>Null when there is nothing to write.</returns>
    public WriteBatch? Make(ReadOnlySpan<DocumentCommand> commands)
    {
        foreach (DocumentCommand command in commands)
        {
            Check();
            switch (command)
            {
                case ComputedCommand computed:
                    computed.Compute(this);
                    break;
                default:
                    Foresee(command);
                    _writes.Add(command); // The request holds the bytes of the command.
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

    /// <summary>Ends a batch for which nobody waits any more, or that takes too long. It is called between any two steps.</summary>
    /// <exception cref="PatchTimeException">It takes too long.</exception>
    public void Check()
    {
        ended.ThrowIfCancellationRequested();
        if (time.GetElapsedTime(_began).TotalMilliseconds > ComputeMsMax)
        {
            throw new PatchTimeException(
                $"The patches of this batch take longer than {ComputeMsMax / 1000} seconds together. " +
                "Nothing of it was written; send the patches in several batches.");
        }
    }

    /// <summary>Finds the document of the next patch; null when there is none.</summary>
    /// <exception cref="PatchSizeException">The patches before it left no room.</exception>
    public ViewedDocument? Find(ReadOnlySpan<byte> key)
    {
        Check();
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
        ScriptedChange change = scripts.Run(script.Parsed ?? scripts.Parse(script.Text), document, script.Values, view, Trace, ended);
        List<ScriptedWrite> extending = [];
        // The last change of what the document has besides its text. It follows the document's own write, so that it makes the last version.
        ExtensionCommand? last = null;
        ScriptedWrite? own = null; // The last write of the document for which the script itself asked.
        foreach (ScriptedWrite write in change.Others)
        {
            bool isOwn = write.Key.AsSpan().SequenceEqual(key.Span);
            bool extendsOwn = isOwn && write.Extending is not null;
            if (extendsOwn)
            {
                extending.Add(write);
                last = write.Extending;
            }
            else if (isOwn)
            {
                (own, last) = (write, null);
            }

            // The document may be new: what it has besides its text comes after it.
            if (!extendsOwn || change.Document is null)
            {
                Add(write);
            }
        }

        if (change.Document is not { } after)
        {
            return new ScriptedDocument(own?.Put?.Document, own?.Put, own is { Put: null }, last);
        }

        PutCommand put = Put(Encoding.UTF8.GetBytes(id), key, after);
        extending.ForEach(Add);
        return new ScriptedDocument(after, put, false, extending.LastOrDefault()?.Extending);
    }

    /// <summary>Adds the write of a document.</summary>
    public PutCommand Put(ReadOnlyMemory<byte> id, ReadOnlyMemory<byte> key, ParsedDocument document)
    {
        var put = new PutCommand { Document = document };
        put.SetId(id, key);
        AddWrite(put);
        view.Put(put);
        return put;
    }

    private void Add(ScriptedWrite write)
    {
        if (write.Extending is not null)
        {
            AddWrite(write.Extending);
            return;
        }

        if (write.Put is not null)
        {
            AddWrite(write.Put);
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

    // Makes an ordinary command visible to later scripts of the batch. An id that only the writer completes is not known to anybody yet. An id that ends with
    // '/' gets its number here, like those of scripts, because the writer could give it a number that a script has taken.
    private void Foresee(DocumentCommand command)
    {
        if (command is PutCommand { NumberedPrefix.IsEmpty: false } numbered)
        {
            Complete(numbered);
        }

        switch (command)
        {
            case PutCommand { Effect: KeyEffect.Write } put when !put.Key.IsEmpty:
                view.Put(put);
                break;
            case DeleteCommand delete:
                view.Remove(delete.Key.ToArray());
                break;
            case ExtensionCommand extending:
                Foresee(extending);
                break;
            case DeletePrefixCommand prefix:
                view.RemovePrefix(prefix.Key.Span);
                break;
        }
    }

    private void Foresee(ExtensionCommand command)
    {
        foreach (ExtensionView extension in view.Extensions)
        {
            if (extension.Extension == command.Extension)
            {
                extension.Foresee(command);
            }
        }
    }

    // This is done again in each attempt. An id without room for a number, or for which no number is free, is refused as in other batches.
    private void Complete(PutCommand put)
    {
        put.RestorePrefix();
        bool hasRoom = DocumentIds.HasRoomForNumber(put.Id.Length, view.Database.Replica.Node.Bytes.Length);
        if (hasRoom && view.CompleteId(put.Id.Span, put.Key.Span) is { } id)
        {
            Span<byte> key = stackalloc byte[PutCommand.CompletedKeyBytesMax];
            _ = DocumentIds.TryMakeKey(id, key, out int length);
            put.SetNumberedId(id, key[..length].ToArray());
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

        foreach (DocumentCommand check in view.Extensions.SelectMany(extension => extension.MakeChecks()))
        {
            yield return check;
        }
    }
}
