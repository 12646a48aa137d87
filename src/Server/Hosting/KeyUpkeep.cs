using Jackdaw.Security.Keys;

namespace Jackdaw.Server.Hosting;

/// <summary>Renews the certificate of the server while it runs: when it is old, and when the operator's file has changed.</summary>
internal sealed class KeyUpkeep : IDisposable
{
    /// <summary>The pause between looks. A file of a mounted secret changes without an event, so that it is looked at.</summary>
    private static readonly TimeSpan s_period = TimeSpan.FromSeconds(10);

    private readonly ServerKeys _keys;
    private readonly ILogger _logger;
    private readonly Lock _looking = new(); // one look at a time: a slow disk must not make two certificates
    private readonly ITimer _timer;

    public KeyUpkeep(ServerKeys keys, ILogger logger, TimeProvider time)
    {
        _keys = keys;
        _logger = logger;
        _timer = time.CreateTimer(_ => Look(), null, s_period, s_period);
    }

    public void Dispose() => _timer.Dispose();

    private void Look()
    {
        if (!_looking.TryEnter())
        {
            return;
        }

        try
        {
            if (_keys.RenewIfDue())
            {
                _logger.LogInformation("The certificate of the server was renewed; it is valid until {NotAfter:u}", _keys.Current.NotAfter.ToUniversalTime());
            }
        }
        catch (Exception failure) when (failure is KeyFileException or IOException or UnauthorizedAccessException)
        {
            _logger.LogError("The certificate of the server could not be renewed, and the one from before is used: {Reason}", failure.Message);
        }
        finally
        {
            _looking.Exit();
        }
    }
}
