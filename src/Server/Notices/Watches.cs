using Jackdaw.Documents.Rows;

namespace Jackdaw.Server.Notices;

/// <summary>The watches of one reader. Not thread-safe.</summary>
/// <remarks>Subjects without a name are counted, so that each beginning needs an end. Named subjects are sets, for which one end is enough.</remarks>
internal sealed class Watches
{
    /// <summary>The most bytes of all names that one reader watches, with <see cref="NameBytes"/> for each: 10,000 documents with ids of usual
    /// length.</summary>
    public const int BytesMax = 1024 * 1024;

    /// <summary>The bytes that are counted for each name in addition to its own, because a set needs them.</summary>
    public const int NameBytes = 64;

    private readonly int[] _counts = new int[WatchSubjects.Count];
    private readonly HashSet<byte[]>?[] _names = new HashSet<byte[]>?[WatchSubjects.Count];
    private readonly SortedDictionary<int, int> _prefixLengths = []; // each with the number of prefixes that have it

    /// <summary>Bytes of all names.</summary>
    public int Bytes { get; private set; }

    /// <summary>Whether the reader wants changes of documents.</summary>
    public bool WantsDocuments => Has(WatchSubject.Documents) || Has(WatchSubject.Document) || Has(WatchSubject.Prefix) || Has(WatchSubject.Collection);

    /// <summary>Whether the reader wants changes of any extension.</summary>
    public bool WantsExtensions => _counts.AsSpan((int)WatchSubject.FirstOfExtensions).ContainsAnyExcept(0);

    public bool WantsCaches => Has(WatchSubject.Caches);

    /// <summary>Whether a reader has to know that it missed notices. Caches need to know only that something changed.</summary>
    public bool LosesByGaps => WantsDocuments || WantsExtensions
        || Has(WatchSubject.Indexes) || Has(WatchSubject.Index) || Has(WatchSubject.Operations) || Has(WatchSubject.Operation);

    /// <summary>Carries out a command.</summary>
    /// <exception cref="WatchCommandException">There would be too many names.</exception>
    public void Apply(WatchCommand command)
    {
        int subject = (int)command.Subject;
        if (command.Key.Length == 0)
        {
            _counts[subject] = Math.Max(0, _counts[subject] + (command.IsWatch ? 1 : -1));
        }
        else if (command.IsWatch)
        {
            Add(command.Subject, command.Key);
        }
        else
        {
            Remove(command.Subject, command.Key);
        }
    }

    /// <summary>Whether any watch wants a notice.</summary>
    public bool Matches(NoticeBatch batch, in NoticeEntry entry) => entry.Kind switch
    {
        NoticeKind.Document => MatchesDocument(batch, entry) || Contains(WatchSubject.Collection, batch.Text(entry.Collection)),
        NoticeKind.SystemDocument => MatchesDocument(batch, entry),
        NoticeKind.DocumentMove => Contains(WatchSubject.Collection, batch.Text(entry.Collection)),
        NoticeKind.Extension => MatchesExtension(batch, entry),
        NoticeKind.Index => Has(WatchSubject.Indexes) || Contains(WatchSubject.Index, batch.Text(entry.Key)),
        NoticeKind.Operation => Has(WatchSubject.Operations) || Contains(WatchSubject.Operation, batch.Text(entry.Key)),
        NoticeKind.ExtensionGap => WantsExtensions,
        NoticeKind.ChangeGap => WantsExtensions || WantsDocuments,
        _ => false,
    };

    private bool MatchesDocument(NoticeBatch batch, in NoticeEntry entry)
    {
        ReadOnlySpan<byte> key = batch.Text(entry.Key);
        return Has(WatchSubject.Documents) || Contains(WatchSubject.Document, key) || MatchesPrefix(key);
    }

    private bool MatchesPrefix(ReadOnlySpan<byte> key)
    {
        foreach (int length in _prefixLengths.Keys)
        {
            if (length > key.Length)
            {
                return false;
            }

            if (Contains(WatchSubject.Prefix, key[..length]))
            {
                return true;
            }
        }

        return false;
    }

    private bool MatchesExtension(NoticeBatch batch, in NoticeEntry entry)
    {
        int slot = entry.Extension;
        ReadOnlySpan<byte> document = batch.Text(entry.Key);
        ReadOnlySpan<byte> name = batch.Text(entry.Name);
        if (Has(WatchSubjects.Of(slot, ExtensionWatch.All)) || Contains(WatchSubjects.Of(slot, ExtensionWatch.OfName), name)
            || Contains(WatchSubjects.Of(slot, ExtensionWatch.OfDocument), document))
        {
            return true;
        }

        WatchSubject one = WatchSubjects.Of(slot, ExtensionWatch.OfDocumentAndName);
        if (!Has(one))
        {
            return false;
        }

        Span<byte> pair = new byte[document.Length + 1 + name.Length];
        return Contains(one, pair[..WatchCommand.WritePair(document, name, pair)]);
    }

    private bool Has(WatchSubject subject) => _counts[(int)subject] > 0;

    private bool Contains(WatchSubject subject, ReadOnlySpan<byte> key) =>
        _names[(int)subject] is { Count: > 0 } names && names.GetAlternateLookup<ReadOnlySpan<byte>>().Contains(key);

    private void Add(WatchSubject subject, byte[] key)
    {
        HashSet<byte[]> names = _names[(int)subject] ??= new HashSet<byte[]>(ByteTextComparer.Instance);
        if (names.Contains(key))
        {
            return;
        }

        if (Bytes + key.Length + NameBytes > BytesMax)
        {
            throw new WatchCommandException(
                $"The connection watches too many names: together they have {Bytes} bytes, counted with {NameBytes} for each, and {BytesMax} are "
                + "allowed. Watch a prefix or a collection instead, or end watches that are not needed.");
        }

        names.Add(key);
        Bytes += key.Length + NameBytes;
        _counts[(int)subject]++;
        if (subject == WatchSubject.Prefix)
        {
            _prefixLengths[key.Length] = _prefixLengths.GetValueOrDefault(key.Length) + 1;
        }
    }

    private void Remove(WatchSubject subject, byte[] key)
    {
        if (_names[(int)subject]?.Remove(key) != true)
        {
            return;
        }

        Bytes -= key.Length + NameBytes;
        _counts[(int)subject]--;
        if (subject == WatchSubject.Prefix && --_prefixLengths[key.Length] == 0)
        {
            _prefixLengths.Remove(key.Length);
        }
    }
}
