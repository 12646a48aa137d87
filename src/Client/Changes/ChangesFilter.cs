using System.Globalization;

namespace Jackdaw.Client.Changes;

/// <summary>Which changes a loop over <see cref="IDatabaseChanges.ReadAllAsync"/> gets. Names and ids are compared without regard to
/// case.</summary>
public sealed class ChangesFilter
{
    private ChangesFilter(params Watch[] watches) => Watches = watches;

    /// <summary>The watches, each once.</summary>
    internal IReadOnlyList<Watch> Watches { get; }

    /// <summary>Changes of all documents.</summary>
    public static ChangesFilter AllDocuments() => new(new Watch(WatchSubject.Documents));

    /// <summary>Changes of one document.</summary>
    public static ChangesFilter Document(string id) => new(Watch.Of(WatchSubject.Document, id));

    /// <summary>Changes of documents whose id begins with this text.</summary>
    public static ChangesFilter DocumentsStartingWith(string prefix) => new(Watch.Of(WatchSubject.Prefix, prefix));

    /// <summary>Changes of documents of a collection. A document that leaves the collection is reported as deleted.</summary>
    public static ChangesFilter Collection(string name) => new(Watch.Of(WatchSubject.Collection, name));

    /// <summary>Changes of all indexes.</summary>
    public static ChangesFilter AllIndexes() => new(new Watch(WatchSubject.Indexes));

    /// <summary>Changes of one index.</summary>
    public static ChangesFilter Index(string name) => new(Watch.Of(WatchSubject.Index, name));

    /// <summary>Progress and ends of all operations.</summary>
    public static ChangesFilter AllOperations() => new(new Watch(WatchSubject.Operations));

    /// <summary>Progress and end of one operation.</summary>
    public static ChangesFilter Operation(long id) => new(Watch.Of(WatchSubject.Operation, id.ToString(CultureInfo.InvariantCulture)));

    /// <summary>Changes of all counters.</summary>
    public static ChangesFilter AllCounters() => new(new Watch(WatchSubject.Counters));

    /// <summary>Changes of counters with this name.</summary>
    public static ChangesFilter Counter(string name) => new(Watch.Of(WatchSubject.Counter, name));

    /// <summary>Changes of all counters of a document.</summary>
    public static ChangesFilter CountersOfDocument(string id) => new(Watch.Of(WatchSubject.CountersOfDocument, id));

    /// <summary>Changes of one counter of a document.</summary>
    public static ChangesFilter CounterOfDocument(string id, string name) => new(Watch.Of(WatchSubject.CounterOfDocument, id, name));

    /// <summary>Changes that this filter or the other one selects.</summary>
    public ChangesFilter Or(ChangesFilter other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return new ChangesFilter([.. Watches.Union(other.Watches)]);
    }

    internal bool Matches(ChangeItem item) => item is ChangesGap || Watches.Any(watch => watch.Matches(item));
}
