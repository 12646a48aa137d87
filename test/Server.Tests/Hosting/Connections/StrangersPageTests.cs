using System.Globalization;
using Jackdaw.Server.Hosting.Connections;
using Jackdaw.Server.Http.Limits;

namespace Jackdaw.Server.Tests.Hosting.Connections;

/// <summary>docs/operating/strangers.md states the bounds that the server has.</summary>
public sealed class StrangersPageTests
{
    [Fact]
    public void Page_ItsFigures_AreThoseOfTheServer()
    {
        string page = File.ReadAllText(PathOf("docs/operating/strangers.md"));
        var limits = new HandshakeLimits();
        string[] rows =
        [
            Row("time for a handshake", $"{HandshakeLimits.Time.TotalSeconds:0} s, with all waits"),
            Row("bytes before its end", $"{HandshakeLimits.BytesMax / 1024} KB"),
            Row("connections that have not finished it", $"{Show(HandshakeLimits.PendingLeast)} to {Show(HandshakeLimits.PendingMost)}, a sixteenth of the "
                + $"memory; of one address {Show(limits.PendingOfSenderMax)}"),
            Row("handshakes in a second", $"{limits.PerSecond / Environment.ProcessorCount:0} for each processor; of one address "
                + $"{limits.PerSecondOfSender:0} after the first {Show((int)limits.BurstOfSender)}"),
            Row("open connections without a known certificate", $"{Show(limits.UnknownMax)}, of one address {Show(limits.UnknownOfSenderMax)}"),
            Row("headers of a request", $"{HttpLimits.RequestHeadersTime.TotalSeconds:0} s, and {HttpLimits.HeaderBytesMax / 1024} KB"),
        ];
        Assert.All(rows, row => Assert.Contains(row, page, StringComparison.Ordinal));
    }

    private static string Row(string what, string bound) => $"| {what} | {bound} |";

    private static string Show(int number) => number.ToString("N0", CultureInfo.InvariantCulture);

    private static string PathOf(string file)
    {
        string folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Server.sln")))
        {
            folder = Path.GetDirectoryName(folder)!;
        }

        return Path.Combine(folder, file);
    }
}
