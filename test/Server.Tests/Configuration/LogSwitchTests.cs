using Jackdaw.Server.Configuration;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Server.Tests.Configuration;

public sealed class LogSwitchTests
{
    [Theory]
    [InlineData(LogLevel.Information, "Information", LogLevel.Information)]
    [InlineData(LogLevel.Information, "Operations", LogLevel.Warning)]
    [InlineData(LogLevel.Information, "None", LogLevel.None)]
    [InlineData(LogLevel.Debug, "Information", LogLevel.Debug)]
    [InlineData(LogLevel.None, "Information", LogLevel.Information)]
    [InlineData(LogLevel.Error, "Operations", LogLevel.Error)]
    public void Set_OfAMode_WritesItsLevelsOnly(LogLevel configured, string mode, LogLevel least)
    {
        var log = new LogSwitch(configured);
        log.Set(Enum.Parse<LogMode>(mode), LogRetention.Default);
        Assert.Equal(Enum.Parse<LogMode>(mode), log.Current);
        for (LogLevel level = LogLevel.Trace; level < LogLevel.None; level++)
        {
            Assert.Equal(level >= least, log.Allows("Jackdaw", level));
        }

        Assert.False(log.Allows("Jackdaw", LogLevel.None));
    }

    [Fact]
    public void Allows_EventsOfKestrel_FromWarningsOnUnlessDebugging()
    {
        Assert.False(new LogSwitch(LogLevel.Information).Allows("Microsoft.AspNetCore", LogLevel.Information));
        Assert.True(new LogSwitch(LogLevel.Information).Allows("Microsoft.AspNetCore", LogLevel.Warning));
        Assert.True(new LogSwitch(LogLevel.Debug).Allows("Microsoft.AspNetCore", LogLevel.Information));
    }
}
