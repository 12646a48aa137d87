namespace Jackdaw.Security.Certificates;

/// <summary>When a certificate was last used, to the second. It is in memory only, so that a server that was restarted does not know. Any thread.</summary>
internal sealed class CertificateUse
{
    private long _second;

    /// <summary>Null when no request came with the certificate since the server was started.</summary>
    public DateTimeOffset? Last =>
        Volatile.Read(ref _second) is > 0 and var second ? new DateTimeOffset(second * TimeSpan.TicksPerSecond, TimeSpan.Zero) : null;

    /// <summary>A request came. Many threads share an entry, so that each writes only what is new.</summary>
    public void Note(DateTimeOffset now)
    {
        long second = now.UtcTicks / TimeSpan.TicksPerSecond;
        if (Volatile.Read(ref _second) < second)
        {
            Volatile.Write(ref _second, second);
        }
    }
}
