using System.Collections.Concurrent;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Database;

namespace Jackdaw.Server.Tests;

/// <summary>Probes each database that is opened.</summary>
internal sealed class DatabaseProbes : DatabasePartKind
{
    private readonly ConcurrentDictionary<string, DatabaseProbe> _last = new(StringComparer.OrdinalIgnoreCase);

    public override string Name => "probes";

    /// <summary>The database of a name; after it was closed, the one that was open.</summary>
    public DatabaseProbe Find(string name) => _last[name];

    public override IEnumerable<DatabasePart> MakeParts(PartHost host)
    {
        _last[host.Database.Name] = new DatabaseProbe(host.Database);
        return [];
    }
}
