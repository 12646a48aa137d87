using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Model;

namespace Jackdaw.Indexing;

/// <summary>Waiting until indexes have what was written: by signals of the indexes, never by looking again and again.</summary>
internal sealed partial class DatabaseIndexes
{
    /// <summary>Checks that there are indexes of these names.</summary>
    /// <exception cref="IndexException">One is not there.</exception>
    public void RequireAll(IEnumerable<string> names)
    {
        foreach (string name in names)
        {
            Require(name);
        }
    }

    /// <summary>Waits until indexes have read what was written between two etags: those that are named, or all that read what
    /// was written to. One that does not work now, or is not in use yet, is not waited for.</summary>
    /// <param name="before">Last write before those that are waited for.</param>
    /// <param name="last">Last of them.</param>
    /// <param name="names">Empty: all indexes that are concerned.</param>
    /// <param name="timeout">For all of them together.</param>
    /// <returns>Names of indexes that have not read everything yet; of named ones also those that do not work now.</returns>
    public async Task<IReadOnlyList<string>> WaitForWritesAsync(
        Etag before, Etag last, IReadOnlyList<string> names, TimeSpan timeout, CancellationToken cancellationToken)
    {
        long began = _host.Time.GetTimestamp();
        List<string> behind = [];
        foreach (DatabaseIndex index in _indexes.Values.Where(index => IsWanted(index, names)))
        {
            DatabaseIndex current = index;
            bool isPassed;
            while (true)
            {
                isPassed = await WaitForWritesAsync(current).ConfigureAwait(false);

                // Reset, built again or replaced meanwhile: another one has its name.
                if (isPassed || Left() <= TimeSpan.Zero || Find(current.Name) is not { } next || ReferenceEquals(next, current))
                {
                    break;
                }

                current = next;
            }

            if (!isPassed && (names.Count > 0 || IsWorking(current)))
            {
                behind.Add(current.Name);
            }
        }

        return behind;

        TimeSpan Left() => timeout - _host.Time.GetElapsedTime(began);

        async ValueTask<bool> WaitForWritesAsync(DatabaseIndex index) => IsWorking(index)
            && await index.WaitForOpenAsync(Left(), cancellationToken).ConfigureAwait(false)
            && (CutoffOf(index, before, last, isNamed: names.Count > 0) is not { } cutoff
                || await index.WaitAsync(cutoff, Left(), cancellationToken).ConfigureAwait(false));
    }

    private static bool IsWorking(DatabaseIndex index) => index.IsActive && index.Record.State == IndexState.Normal;

    private static bool IsWanted(DatabaseIndex index, IReadOnlyList<string> names) => names.Count == 0
        ? index.Record.Replaces is null
        : names.Contains(index.Name, StringComparer.OrdinalIgnoreCase);

    // Null: none of its sources was written to.
    private IndexCutoff? CutoffOf(DatabaseIndex index, Etag before, Etag last, bool isNamed)
    {
        using DocumentReadScope read = _host.Database.BeginRead();
        bool isConcerned = isNamed || index.Builder is not { } builder
            || builder.Sources.Mapped.Concat(builder.Sources.Loaded).Any(source => source.LastEtag(read).Value > before.Value);
        return isConcerned ? index.CutoffOf(read)?.AtMost(last) : null;
    }
}
