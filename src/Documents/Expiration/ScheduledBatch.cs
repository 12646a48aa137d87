using System.Diagnostics;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Schedules;
using Jackdaw.Json;
using Jackdaw.Json.Tape;

namespace Jackdaw.Documents.Expiration;

/// <summary>Turns scheduled items whose time has come into commands for the writer. Each command names a version. An item that has changed in between is not
/// touched, because it has another entry in the index by time, or none.</summary>
internal static class ScheduledBatch
{
    /// <summary>The most items of one transaction, which keep the writer busy for a few milliseconds.</summary>
    public const int ItemsMax = 256;

    /// <summary>When the documents of a transaction have more bytes than this, no further one is added.</summary>
    private const long BytesMax = 4L << 20;

    /// <summary>Makes the commands.</summary>
    /// <param name="read">The snapshot of the items.</param>
    /// <param name="items">The items, the oldest first.</param>
    public static DocumentCommand[] Make(DocumentReadScope read, IReadOnlyList<ScheduledItem> items)
    {
        var commands = new List<DocumentCommand>(items.Count);
        using var parser = new DocumentParser(DocumentExtensions.None);
        long bytes = 0;
        foreach (ScheduledItem item in items)
        {
            if (bytes >= BytesMax)
            {
                break;
            }

            commands.Add(Make(read, item, parser, ref bytes));
        }

        return [.. commands];
    }

    private static DocumentCommand Make(DocumentReadScope read, ScheduledItem item, DocumentParser parser, ref long bytes)
    {
        if (!ScheduleTree.IsCurrent(read.Transaction.Trees, item))
        {
            return new ForgetScheduledCommand(item);
        }

        if (item.Domain == ScheduleDomain.Value)
        {
            return new ExpireValueCommand(item);
        }

        if (!read.TryGet(item.Key, out StoredDocument document))
        {
            return new ForgetScheduledCommand(item);
        }

        bytes += document.Body.Length; // counted also for a document that expires, because its last version may be kept as a revision
        byte[] id = document.Id.ToArray();
        if (item.Kind == ScheduleKind.Expire)
        {
            var delete = new DeleteCommand { OnlyAt = document.Etag };
            delete.SetId(id, item.Key);
            return delete;
        }

        var put = new PutCommand { OnlyAt = document.Etag, Document = Change(document, item.Kind, parser) };
        put.SetId(id, item.Key);
        return put;
    }

    /// <summary>Makes the document without the time that has come. An archived document gets a member that says so.</summary>
    private static ParsedDocument Change(in StoredDocument document, ScheduleKind kind, DocumentParser parser)
    {
        Debug.Assert(kind is ScheduleKind.Refresh or ScheduleKind.Archive);
        ReadOnlySpan<byte> gone = kind == ScheduleKind.Refresh ? "@refresh"u8 : "@archive-at"u8;
        using var text = new PooledBuffer();
        text.Append(document.Body[..document.MetadataOffset]);
        text.Append((byte)'{');
        using (var tape = new JsonTape())
        {
            foreach (TapeMember member in tape.ReadStored(document.Body, document.Id)["@metadata"u8].Members)
            {
                if (!member.NameEquals(gone) && !(kind == ScheduleKind.Archive && member.NameEquals("@archived"u8)))
                {
                    AppendComma(text);
                    text.Append((byte)'"');
                    text.Append(member.NameSource);
                    text.Append("\":"u8);
                    text.Append(member.Value.Source);
                }
            }
        }

        if (kind == ScheduleKind.Archive)
        {
            AppendComma(text);
            text.Append("\"@archived\":true"u8);
        }

        text.Append("}}"u8);
        ParsedDocument changed = parser.Parse(text.Written);
        return changed with { Bytes = changed.Bytes.ToArray(), Collection = changed.Collection.ToArray() };
    }

    private static void AppendComma(PooledBuffer text)
    {
        if (text.Written[^1] != (byte)'{')
        {
            text.Append((byte)',');
        }
    }
}

/// <summary>Deletes a compare exchange value if the time of the item is still that of the value.</summary>
internal sealed class ExpireValueCommand(ScheduledItem item) : DocumentCommand
{
    internal override ReadOnlyMemory<byte> Key => item.Key;

    internal override bool IsOfValue => true;

    internal override KeyEffect Effect => KeyEffect.Remove;

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        if (!ScheduleTree.IsCurrent(documents.Transaction.Trees, item))
        {
            return WriteStatus.Applied;
        }

        if (CompareExchangeWrites.TryFind(documents, item.Key, out CompareExchange.CompareExchangeRow stored))
        {
            CompareExchangeWrites.Delete(documents, stored, item.Key);
        }
        else
        {
            documents.Schedule.Replace(ScheduleDomain.Value, item.Key, default);
        }

        return WriteStatus.Applied;
    }
}

/// <summary>Removes an entry of the index by time whose document does not exist or does not have the time. Otherwise it would be read again and
/// again.</summary>
internal sealed class ForgetScheduledCommand(ScheduledItem item) : DocumentCommand
{
    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        if (!ScheduleTree.IsCurrent(documents.Transaction.Trees, item))
        {
            documents.Schedule.Remove(item);
        }
        else if (item.Domain == ScheduleDomain.Document && documents.FindVersion(item.Key).IsMissing)
        {
            documents.Schedule.Replace(item.Domain, item.Key, default);
        }

        return WriteStatus.Applied;
    }
}
