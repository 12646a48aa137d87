using System.Globalization;
using System.Text;

namespace Jackdaw.Client.Changes;

/// <summary>One thing that the server is asked to watch. Two watches are equal when they are the same for the server.</summary>
/// <param name="Param">Name of what is watched, as it was given; null for subjects that need none.</param>
/// <param name="Name">Name of the counter, for <see cref="WatchSubject.CounterOfDocument"/>.</param>
internal sealed record Watch(WatchSubject Subject, string? Param = null, string? Name = null)
{
    /// <summary>Largest number of UTF-8 bytes in an id or a name. With a longer one the server would end the connection, which all other watches
    /// use, too.</summary>
    public const int NameBytesMax = 512;

    // In lower case, as the server compares.
    private readonly string? _param = Param?.ToLowerInvariant();
    private readonly string? _name = Name?.ToLowerInvariant();

    /// <summary>Bytes of the names that the server keeps.</summary>
    public int Bytes => Encoding.UTF8.GetByteCount(_param ?? "") + Encoding.UTF8.GetByteCount(_name ?? "") + 1;

    /// <summary>Makes a watch with names that users have given.</summary>
    /// <exception cref="ArgumentException">A name is empty or too long.</exception>
    public static Watch Of(WatchSubject subject, string param, string? name = null)
    {
        Check(param, nameof(param));
        if (subject == WatchSubject.CounterOfDocument)
        {
            Check(name, nameof(name));
        }

        return new Watch(subject, param, name);
    }

    /// <summary>All watches that a change belongs to, except those of <see cref="WatchSubject.Prefix"/>.</summary>
    public static Watch[] AllFor(ChangeItem item) => item switch
    {
        DocumentChange change =>
        [
            new(WatchSubject.Documents), new(WatchSubject.Document, change.Id), new(WatchSubject.Collection, change.CollectionName),
        ],
        IndexChange change => [new(WatchSubject.Indexes), new(WatchSubject.Index, change.Name)],
        OperationStatusChange change =>
        [
            new(WatchSubject.Operations), new(WatchSubject.Operation, change.OperationId.ToString(CultureInfo.InvariantCulture)),
        ],
        CounterChange change =>
        [
            new(WatchSubject.Counters), new(WatchSubject.Counter, change.Name), new(WatchSubject.CountersOfDocument, change.DocumentId),
            new(WatchSubject.CounterOfDocument, change.DocumentId, change.Name),
        ],
        _ => [],
    };

    public bool Matches(ChangeItem item) => Subject == WatchSubject.Prefix
        ? item is DocumentChange change && change.Id.ToLowerInvariant().StartsWith(_param!, StringComparison.Ordinal)
        : AllFor(item).Contains(this);

    public bool Equals(Watch? other) => other is not null && Subject == other.Subject && _param == other._param && _name == other._name;

    public override int GetHashCode() => HashCode.Combine(Subject, _param, _name);

    private static void Check(string? text, string argument)
    {
        ArgumentException.ThrowIfNullOrEmpty(text, argument);
        if (Encoding.UTF8.GetByteCount(text) > NameBytesMax)
        {
            throw new ArgumentException($"It is longer than {NameBytesMax} bytes of UTF-8, which is the limit of ids and names.", argument);
        }
    }
}

/// <summary>What can be watched.</summary>
internal enum WatchSubject
{
    Documents,
    Document,
    Prefix,
    Collection,
    Indexes,
    Index,
    Operations,
    Operation,
    Counters,
    Counter,
    CountersOfDocument,
    CounterOfDocument,
    Caches,
}
