namespace Jackdaw.Server.Documents.Store;

/// <summary>What the server's records say about an open database. Written by the server store, read by any
/// thread.</summary>
internal sealed class DatabaseSettings
{
    private long _topologyEtag;
    private long _clientConfigurationEtag;

    public long TopologyEtag
    {
        get => Volatile.Read(ref _topologyEtag);
        set => Volatile.Write(ref _topologyEtag, value);
    }

    public long ClientConfigurationEtag
    {
        get => Volatile.Read(ref _clientConfigurationEtag);
        set => Volatile.Write(ref _clientConfigurationEtag, value);
    }
}
