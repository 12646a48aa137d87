using Jackdaw.Security.Keys;

namespace Jackdaw.Server.Hosting;

/// <summary>Renews the certificate of the server while it runs: when it is old, and when the operator's file has changed.</summary>
internal sealed class KeyUpkeep : IDisposable
{
    /// <summary>The pause between looks. A file of a mounted secret changes without an event, so that it is looked at.</summary>
    private static readonly TimeSpan s_period = TimeSpan.FromSeconds(10);

    /// <summary>How long before its end a warning says that the authority must be replaced: that is work for people.</summary>
    private static readonly TimeSpan s_warnedBefore = TimeSpan.FromDays(90);

    private readonly ServerKeys _keys;
    private readonly CertificateAuthority _authority;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly Lock _looking = new(); // one look at a time: a slow disk must not make two certificates
    private readonly ITimer _timer;
    private bool _isDisposed; // the rest is used by one look at a time
    private string? _reported;
    private DateTime? _warned;

    public KeyUpkeep(ServerKeys keys, CertificateAuthority authority, ILogger logger, TimeProvider time)
    {
        _keys = keys;
        _authority = authority;
        _time = time;
        _logger = logger;
        _timer = time.CreateTimer(_ => Look(), null, s_period, s_period);
    }

    /// <summary>Ends it. A look that has begun is over when the method returns, because it uses keys that are disposed next.</summary>
    public void Dispose()
    {
        _timer.Dispose();
        lock (_looking)
        {
            _isDisposed = true;
        }
    }

    // Nothing may leave it: an exception in the callback of a timer ends the process.
    private void Look()
    {
        if (!_looking.TryEnter())
        {
            return;
        }

        try
        {
            if (!_isDisposed)
            {
                Renew();
                WarnOfEnd();
            }
        }
        catch (Exception failure)
        {
            Report(failure);
        }
        finally
        {
            _looking.Exit();
        }
    }

    private void Renew()
    {
        if (_keys.RenewIfDue())
        {
            _reported = null;
            _logger.LogInformation("The certificate of the server was renewed; it is valid until {NotAfter:u}", _keys.Current.NotAfter.ToUniversalTime());
        }
    }

    // A failure is tried again with each look, and told once.
    private void Report(Exception failure)
    {
        if (_reported != failure.Message)
        {
            _reported = failure.Message;
            _logger.LogError("The certificate of the server could not be renewed, and the one from before is used: {Reason}", failure.Message);
        }
    }

    private void WarnOfEnd()
    {
        DateTimeOffset now = _time.GetUtcNow(), end = _authority.ServerIssuerEnd;
        if (end - now < s_warnedBefore && _warned != now.Date)
        {
            _warned = now.Date;
            _logger.LogWarning(
                "The certificate authority of this server ends on {End:u}: replace it with 'jackdaw rotate-ca', give clients the new ca.pem, then run "
                + "'jackdaw rotate-ca --finish'", end.UtcDateTime);
        }
    }
}
