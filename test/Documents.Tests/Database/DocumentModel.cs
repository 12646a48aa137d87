using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Tests.Database;

/// <summary>What a database should hold: the simplest thing that follows the rules.</summary>
internal sealed class DocumentModel
{
    public Dictionary<string, DocumentCopy> Documents { get; private init; } = [];

    /// <summary>(key, collection key) to etag.</summary>
    public Dictionary<(string Key, string Collection), long> Tombstones { get; private init; } = [];

    public long LastEtag { get; private set; }

    /// <summary>Applies a batch to a copy; null when a demand is not met.</summary>
    public DocumentModel? Apply(IEnumerable<DocumentCommand> commands, out int failed)
    {
        var after = new DocumentModel
        {
            Documents = new Dictionary<string, DocumentCopy>(Documents),
            Tombstones = new Dictionary<(string, string), long>(Tombstones),
            LastEtag = LastEtag,
        };
        failed = 0;
        foreach (KeyedCommand command in commands.Cast<KeyedCommand>())
        {
            if (!after.TryApply(command))
            {
                return null;
            }

            failed++;
        }

        return after;
    }

    private bool TryApply(KeyedCommand command)
    {
        string key = Encoding.UTF8.GetString(command.Key.Span);
        DocumentCopy? stored = Documents.GetValueOrDefault(key);
        if (command is not DeletePrefixCommand && !command.Expected.IsSatisfiedBy(new DocumentVersion(stored?.Etag ?? Etag.None, default)))
        {
            return false;
        }

        switch (command)
        {
            case PutCommand put:
                Put(key, stored, put);
                break;
            case DeleteCommand when stored is not null:
                Delete(key, stored);
                break;
            case DeletePrefixCommand:
                foreach (string match in Documents.Keys.Where(other => other.StartsWith(key, StringComparison.Ordinal))
                    .Order(StringComparer.Ordinal).ToArray())
                {
                    Delete(match, Documents[match]);
                }

                break;
            default:
                break;
        }

        return true;
    }

    private void Put(string key, DocumentCopy? stored, PutCommand command)
    {
        string collection = Encoding.UTF8.GetString(command.Document.Collection.Span);
        string collectionKey = collection.ToLowerInvariant();
        if (stored is not null && !stored.Collection.Equals(collection, StringComparison.OrdinalIgnoreCase))
        {
            Delete(key, stored);
        }

        Tombstones.Remove((key, collectionKey));
        string id = stored?.Id ?? Encoding.UTF8.GetString(command.Id.Span);
        Documents[key] = new DocumentCopy(id, new Etag(++LastEtag), collection, Encoding.UTF8.GetString(command.Document.Bytes.Span));
    }

    private void Delete(string key, DocumentCopy stored)
    {
        Documents.Remove(key);
        Tombstones.Add((key, stored.Collection.ToLowerInvariant()), ++LastEtag);
    }
}
