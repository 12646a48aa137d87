using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Records;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Indexing.Outputs;

/// <summary>A document that an index makes.</summary>
/// <param name="Body">Null: the document is deleted if an index made it.</param>
internal sealed record OutputDocument(byte[] Id, byte[] Key, ParsedDocument? Body)
{
    /// <summary>The document is deleted only if it still has this version: another index may have made it again since, in another collection.
    /// Null: any version.</summary>
    public Etag? Seen { get; init; }

    /// <summary>A document with this id that no index made is not changed. Ids of lists come from patterns and values of users, so they may be
    /// ids of users' documents; ids of groups belong to the index.</summary>
    public bool SparesOthers { get; init; }
}

/// <summary>Writes documents that an index made, if it still owns them.</summary>
/// <remarks>This is decided in the same transaction: the record with its name must have its folder. So an index that was replaced, reset or
/// deleted writes nothing any more, even if it is just about to. A document that would not change is not written.</remarks>
/// <param name="owner">Name of the record.</param>
/// <param name="folder">The folder it must have.</param>
/// <param name="isLast">The record is deleted with them.</param>
internal sealed class WriteOutputsCommand(string owner, string folder, IReadOnlyList<OutputDocument> documents, bool isLast = false) : DocumentCommand
{
    private const DocumentFlags MadeByIndex = DocumentFlags.Artificial | DocumentFlags.FromIndex;

    internal override int SizeBytes => FixedBytes + documents.Sum(document => FixedBytes + (document.Body?.Bytes.Length ?? 0));

    /// <summary>Ids that were not written, because documents that no index made have them. Valid after the command was applied.</summary>
    public List<string> Spared { get; } = [];

    /// <summary>Whether an index made a document.</summary>
    public static bool IsOutput(in StoredDocument document) => document.Flags.HasFlag(DocumentFlags.FromIndex);

    /// <returns>Conflict: the index does not own the documents any more.</returns>
    internal override WriteStatus Apply(DocumentTransaction transaction)
    {
        Table records = IndexRecordTable.Open(transaction);
        byte[] key = IndexRecord.KeyOf(owner);
        if (!records.TryGetByKey(IndexRecordTable.ByKey, key, out TableRow record) || IndexRecordTable.Read(record).Folder != folder)
        {
            return WriteStatus.Conflict;
        }

        Spared.Clear(); // it may be applied again
        foreach (OutputDocument document in documents)
        {
            Write(transaction, document);
        }

        if (isLast)
        {
            records.DeleteByKey(key);
        }

        return WriteStatus.Applied;
    }

    private void Write(DocumentTransaction transaction, OutputDocument document)
    {
        bool exists = transaction.TryFind(document.Key, out DocumentRow stored);
        if (document.Body is not { } body)
        {
            if (exists && stored.Flags.HasFlag(DocumentFlags.FromIndex) && (document.Seen is not { } seen || seen == stored.Etag))
            {
                transaction.Delete(stored, document.Key);
            }
        }
        else if (!exists)
        {
            Span<byte> row = DocumentRowBuilding.Build(transaction.Rows, document.Key, document.Id, body).Span;
            transaction.Insert(document.Key, row, flags: MadeByIndex);
        }
        else if (document.SparesOthers && !stored.Flags.HasFlag(DocumentFlags.FromIndex))
        {
            Spared.Add(Encoding.UTF8.GetString(document.Id));
        }
        else if (!stored.Flags.HasFlag(MadeByIndex) || !stored.Body.SequenceEqual(body.Bytes.Span))
        {
            Span<byte> row = DocumentRowBuilding.Build(transaction.Rows, document.Key, document.Id, body).Span;
            transaction.Replace(stored, document.Key, row, flags: MadeByIndex);
        }
    }
}
