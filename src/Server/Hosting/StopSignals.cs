using System.Runtime.InteropServices;

namespace Jackdaw.Server.Hosting;

/// <summary>While it lives, SIGTERM, SIGINT and SIGHUP do not end the process but ask it to end itself.</summary>
internal sealed class StopSignals : IDisposable
{
    private readonly PosixSignalRegistration[] _registrations;

    /// <param name="stop">Called on a thread of the pool, once for each signal.</param>
    public StopSignals(Action stop)
    {
        void OnSignal(PosixSignalContext context)
        {
            context.Cancel = true;
            stop();
        }

        _registrations =
        [
            PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal),
            PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal),
            PosixSignalRegistration.Create(PosixSignal.SIGHUP, OnSignal),
        ];
    }

    public void Dispose() => Array.ForEach(_registrations, registration => registration.Dispose());
}
