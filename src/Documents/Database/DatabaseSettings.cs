using Jackdaw.Documents.Revisions;

namespace Jackdaw.Documents.Database;

/// <summary>What the server's records say about an open database. Written by the server store, read by any
/// thread.</summary>
internal sealed class DatabaseSettings
{
    private long _topologyEtag;
    private long _clientConfigurationEtag;
    private volatile byte[] _record = [];
    private volatile RevisionsConfiguration? _revisions;
    private volatile IReadOnlyDictionary<string, string?> _texts = new Dictionary<string, string?>();

    public long TopologyEtag
    {
        get => Volatile.Read(ref _topologyEtag);
        set => Volatile.Write(ref _topologyEtag, value);
    }

    /// <summary>Member Settings of the record: another object after a change.</summary>
    public IReadOnlyDictionary<string, string?> Texts
    {
        get => _texts;
        set => _texts = value;
    }

    /// <summary>UTF-8 of the record; empty before there is one.</summary>
    public ReadOnlyMemory<byte> Record => _record;

    /// <summary>Raised when the record was changed. The handler must be short.</summary>
    public event Action? RecordChanged;

    /// <summary>The server store only.</summary>
    public void SetRecord(ReadOnlyMemory<byte> json)
    {
        _record = json.ToArray();
        RecordChanged?.Invoke();
    }

    /// <summary>Etag of the record that <see cref="Texts"/> is of. The server store only.</summary>
    public long TextsEtag { get; set; }

    /// <summary>Member Revisions of the record; null: nothing is configured.</summary>
    public RevisionsConfiguration? Revisions
    {
        get => _revisions;
        set => _revisions = value;
    }

    public long ClientConfigurationEtag
    {
        get => Volatile.Read(ref _clientConfigurationEtag);
        set => Volatile.Write(ref _clientConfigurationEtag, value);
    }
}
