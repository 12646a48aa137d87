using System.Collections.Frozen;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Extensions;

namespace Jackdaw.Server.Notices;

/// <summary>The kinds of watches of a database: the common ones, and those of its extensions. Immutable.</summary>
internal sealed class WatchKinds
{
    private static readonly WatchKind[] s_common =
    [
        new("docs", WatchSubject.Documents, WatchKey.None, Access.Read),
        new("doc", WatchSubject.Document, WatchKey.Text, Access.Read),
        new("prefix", WatchSubject.Prefix, WatchKey.Text, Access.Read),
        new("collection", WatchSubject.Collection, WatchKey.Text, Access.Read),
        new("indexes", WatchSubject.Indexes, WatchKey.None, Access.Read),
        new("index", WatchSubject.Index, WatchKey.Text, Access.Read),
        new("operations", WatchSubject.Operations, WatchKey.None, Access.Read),
        new("operation", WatchSubject.Operation, WatchKey.Number, Access.Read),
        new("topology-change", WatchSubject.Topology, WatchKey.None, Access.Read),
        new("aggressive-caching", WatchSubject.Caches, WatchKey.None, Access.Read),
    ];

    private readonly FrozenDictionary<string, WatchKind> _byName;

    public WatchKinds(DocumentExtensions extensions)
    {
        IEnumerable<WatchKind> kinds = s_common;
        foreach (DocumentExtension extension in extensions.All)
        {
            if (extension is IWatchedExtension watched)
            {
                kinds = kinds.Concat(KindsOf(extension.Slot, watched));
            }
        }

        _byName = kinds.ToFrozenDictionary(kind => kind.Name, StringComparer.OrdinalIgnoreCase);
    }

    public IEnumerable<WatchKind> All => _byName.Values;

    /// <summary>Finds a kind by its name, in any casing; null when there is none.</summary>
    public WatchKind? Find(string name) => _byName.GetValueOrDefault(name);

    private static IEnumerable<WatchKind> KindsOf(int slot, IWatchedExtension watched)
    {
        ExtensionWatches watches = watched.Watches;
        return
        [
            new(watches.All, SubjectOf(ExtensionWatch.All), WatchKey.None, Access.Read),
            new(watches.OfName, SubjectOf(ExtensionWatch.OfName), WatchKey.Text, Access.Read),
            new(watches.OfDocument, SubjectOf(ExtensionWatch.OfDocument), WatchKey.Text, Access.Read),
            new(watches.OfDocumentAndName, SubjectOf(ExtensionWatch.OfDocumentAndName), WatchKey.Pair, Access.Read),
        ];

        WatchSubject SubjectOf(ExtensionWatch watch) => watched.HasChanges ? WatchSubjects.Of(slot, watch) : WatchSubject.Changeless;
    }
}
