using System.Text;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Tests.Changes;

/// <summary>Keeps a copy of a database, or of one collection, with nothing but changes: those of the storage and those of the feed.</summary>
/// <param name="database">What is followed.</param>
/// <param name="collection">In lower case; null for all.</param>
internal sealed class Follower(DocumentDatabase database, string? collection = null)
{
    /// <summary>Key to collection and etag.</summary>
    public Dictionary<string, (string Collection, long Etag)> Documents { get; } = [];

    /// <summary>Last etag that was read.</summary>
    public Etag Position { get; private set; }

    /// <summary>Etags of the changes that the feed told, in this order.</summary>
    public List<long> Told { get; } = [];

    public int Gaps { get; private set; }

    /// <summary>What a reader knows that stops, and goes on later from its position.</summary>
    public static Follower Resume(DocumentDatabase database, Follower stopped)
    {
        var follower = new Follower(database, stopped.Collection) { Position = stopped.Position };
        foreach ((string key, (string, long) document) in stopped.Documents)
        {
            follower.Documents.Add(key, document);
        }

        return follower;
    }

    public string? Collection => collection;

    /// <summary>Reads the storage by etag behind the position.</summary>
    /// <param name="changesMax">Stops after so many.</param>
    public void ReadStorage(int changesMax = int.MaxValue)
    {
        using DocumentReadScope read = database.BeginRead();
        ChangeCursor changes = read.OpenChanges(Encoding.UTF8.GetBytes(collection ?? ""), Position);
        while (changes.MoveNext())
        {
            if (changesMax-- == 0)
            {
                return;
            }

            Apply(changes.Current);
        }

        Position = new Etag(Math.Max(Position.Value, read.LastEtag.Value));
    }

    /// <summary>Takes an item of the feed; false at the end.</summary>
    public bool Take(in FeedItem item)
    {
        switch (item.Kind)
        {
            case FeedItemKind.Changes:
                foreach (Change change in item)
                {
                    Told.Add(change.Etag.Value);
                    if (change.Etag.Value > Position.Value &&
                        (collection is null || collection.Equals(Encoding.UTF8.GetString(change.Collection), StringComparison.OrdinalIgnoreCase)))
                    {
                        Apply(change);
                    }
                }

                Position = new Etag(Math.Max(Position.Value, item.Last.Value));
                return true;
            case FeedItemKind.Gap:
                Gaps++;
                Assert.True(item.Last.Value > item.After.Value && item.Count == 0);
                ReadStorage();
                Assert.True(Position.Value >= item.Last.Value, "a snapshot contains what a gap names");
                return true;
            default:
                return false;
        }
    }

    /// <summary>The same of a database.</summary>
    public static Dictionary<string, (string Collection, long Etag)> Contents(DocumentDatabase database, string? collection = null)
    {
        using DocumentReadScope read = database.BeginRead();
        using DocumentCursor cursor = read.OpenByEtag(Encoding.UTF8.GetBytes(collection ?? ""), EtagOrder.Ascending, default);
        var contents = new Dictionary<string, (string, long)>();
        while (cursor.MoveNext())
        {
            StoredDocument document = cursor.Current;
            contents.Add(
                Encoding.UTF8.GetString(document.Key),
                (Encoding.UTF8.GetString(document.Collection).ToLowerInvariant(), document.Etag.Value));
        }

        return contents;
    }

    private void Apply(in Change change)
    {
        Assert.True(change.Etag.Value > Position.Value, "changes come in the order of their etags");
        Position = change.Etag;
        string key = Encoding.UTF8.GetString(change.Id).ToLowerInvariant();
        if (change.Kind == ChangeKind.DocumentPut)
        {
            Documents[key] = (Encoding.UTF8.GetString(change.Collection).ToLowerInvariant(), change.Etag.Value);
        }
        else
        {
            Documents.Remove(key);
        }
    }
}
