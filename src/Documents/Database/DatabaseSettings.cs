using Jackdaw.Documents.Revisions;

namespace Jackdaw.Documents.Database;

/// <summary>The settings of an open database from its record. The catalog writes them, any thread reads them.</summary>
internal sealed class DatabaseSettings
{
    private long _topologyEtag;
    private long _clientConfigurationEtag;
    private volatile byte[] _record = [];
    private volatile byte _identitySeparator = (byte)'/';
    private volatile RevisionsConfiguration? _revisions;
    private volatile IReadOnlyDictionary<string, string?> _texts = new Dictionary<string, string?>();

    public long TopologyEtag
    {
        get => Volatile.Read(ref _topologyEtag);
        set => Volatile.Write(ref _topologyEtag, value);
    }

    /// <summary>The member Settings of the record, which is another object after a change.</summary>
    public IReadOnlyDictionary<string, string?> Texts
    {
        get => _texts;
        set => _texts = value;
    }

    /// <summary>The record in UTF-8; empty before there is one.</summary>
    public ReadOnlyMemory<byte> Record => _record;

    /// <summary>Raised when the record was changed. The handler must be short.</summary>
    public event Action? RecordChanged;

    /// <summary>Only the catalog calls it.</summary>
    public void SetRecord(ReadOnlyMemory<byte> json)
    {
        _record = json.ToArray();
        RecordChanged?.Invoke();
    }

    /// <summary>The etag of the record to which <see cref="Texts"/> belongs. Only the catalog sets it.</summary>
    public long TextsEtag { get; set; }

    /// <summary>The member Revisions of the record; null when nothing is configured.</summary>
    public RevisionsConfiguration? Revisions
    {
        get => _revisions;
        set => _revisions = value;
    }

    /// <summary>The character between the parts of ids that the server completes, from the client configuration. Only the catalog sets it.</summary>
    public byte IdentitySeparator
    {
        get => _identitySeparator;
        set
        {
            _identitySeparator = value;
            IdentitySeparatorChanged?.Invoke(value);
        }
    }

    /// <summary>Raised when the separator was set. The handler must be short.</summary>
    public event Action<byte>? IdentitySeparatorChanged;

    public long ClientConfigurationEtag
    {
        get => Volatile.Read(ref _clientConfigurationEtag);
        set => Volatile.Write(ref _clientConfigurationEtag, value);
    }
}
