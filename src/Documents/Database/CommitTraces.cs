using System.Diagnostics;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Diagnostics;
using Jackdaw.Storage.Merging;

namespace Jackdaw.Documents.Database;

/// <summary>Makes the activity of each merged commit of a database. A commit belongs to several requests, so its activity has links to them instead of a
/// parent.</summary>
internal sealed class CommitTraces(string database, TimeProvider time) : IBatchObserver
{
    /// <summary>The most links of one activity: OpenTelemetry's default limit, beyond which exporters drop them.</summary>
    private const int LinksMax = 128;

    /// <summary>The name of the activity.</summary>
    public const string CommitName = "commit";

    /// <inheritdoc/>
    public void OnEnded(in EndedBatch batch)
    {
        if (!DatabaseActivities.Source.HasListeners())
        {
            return;
        }

        KeyValuePair<string, object?>[] tags =
        [
            new("db.system.name", "jackdaw"),
            new(DatabaseActivities.DatabaseTag, database),
            new("jackdaw.commit.transaction", batch.TransactionId),
            new("jackdaw.commit.commands", batch.Commands.Count),
            new("jackdaw.commit.journal_bytes", batch.Commit.StoredBytes),
        ];
        DateTimeOffset started = time.GetUtcNow() - Stopwatch.GetElapsedTime(batch.Started);
        using Activity? activity = DatabaseActivities.Source.StartActivity(
            CommitName, ActivityKind.Internal, parentContext: default, tags, FindLinks(batch.Commands), started);
        if (activity is not null && batch.Failure is { } failure)
        {
            activity.SetStatus(ActivityStatusCode.Error, failure.Message);
            activity.SetTag(DatabaseActivities.ErrorTag, failure.GetType().FullName);
        }
    }

    private static List<ActivityLink> FindLinks(IReadOnlyList<WriteCommand> commands)
    {
        var links = new List<ActivityLink>();
        for (int i = 0; i < commands.Count && links.Count < LinksMax; i++)
        {
            if (commands[i] is MergedBatch batch && batch.Origin != default)
            {
                links.Add(new ActivityLink(batch.Origin));
            }
        }

        return links;
    }
}
