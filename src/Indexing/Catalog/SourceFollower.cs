using System.Text;
using Jackdaw.Documents.Changes;
using Jackdaw.Indexing.Sources;

namespace Jackdaw.Indexing.Catalog;

/// <summary>Follows the committed changes of a database, and wakes the indexes whose sources were written to.</summary>
/// <remarks>While there is no index it does not follow, because recording changes costs each write a little. <see cref="StartIfNeeded"/> is
/// called under the gate of the catalog, or while the database is opened.</remarks>
internal sealed class SourceFollower(IndexHost host, IndexCatalog catalog)
{
    private ChangeSubscription? _changes;
    private Task _following = Task.CompletedTask;

    /// <summary>Begins to follow if there are indexes. What is committed after this call wakes them.</summary>
    public void StartIfNeeded()
    {
        if (_changes is null && catalog.Count > 0)
        {
            _changes = host.Database.Changes.Subscribe();
            _following = FollowAsync(_changes);
        }
    }

    /// <summary>Ends, after the changes of the catalog have ended.</summary>
    public async Task StopAsync()
    {
        _changes?.Dispose();
        await _following.ConfigureAwait(false);
    }

    private async Task FollowAsync(ChangeSubscription changes)
    {
        try
        {
            while (true)
            {
                FeedItem item = await changes.ReadAsync(host.Closing).ConfigureAwait(false);
                if (item.Kind == FeedItemKind.End)
                {
                    return;
                }

                Wake(item);
            }
        }
        catch (OperationCanceledException)
        {
            // The database is being closed.
        }
    }

    private void Wake(FeedItem item)
    {
        HashSet<SourceChange>? written = item.Kind == FeedItemKind.Gap ? null : ChangesOf(item);
        foreach (DatabaseIndex index in catalog.Current)
        {
            if (written is null || index.Builder is not { } builder || AreConcerned(builder.Sources, written))
            {
                index.Signal();
            }
        }
    }

    private static bool AreConcerned(IndexSources sources, HashSet<SourceChange> written)
    {
        foreach (SourceChange change in written)
        {
            if (sources.AreConcernedBy(change))
            {
                return true;
            }
        }

        return false;
    }

    // Each kind of change in each collection once.
    private static HashSet<SourceChange> ChangesOf(FeedItem item)
    {
        var written = new HashSet<SourceChange>();
        foreach (Change change in item)
        {
            written.Add(new SourceChange(change.Kind, Encoding.UTF8.GetString(change.Collection), change.IsOfExtension ? change.Extension : -1));
        }

        return written;
    }
}
