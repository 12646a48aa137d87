using System.Diagnostics.CodeAnalysis;
using Jint.Runtime;

namespace Jackdaw.Scripting;

/// <summary>The clock of <c>new Date()</c>. It is the server's clock, which tests may set.</summary>
/// <param name="rules">Time zone, and how texts are read.</param>
internal sealed class ScriptClock(ITimeSystem rules, TimeProvider time) : ITimeSystem
{
    public TimeZoneInfo DefaultTimeZone => rules.DefaultTimeZone;

    public DateTimeOffset GetUtcNow() => time.GetUtcNow();

    public TimeSpan GetUtcOffset(long epochMilliseconds) => rules.GetUtcOffset(epochMilliseconds);

    public bool TryParse(string date, [NotNullWhen(true)] out long epochMilliseconds) => rules.TryParse(date, out epochMilliseconds);
}
