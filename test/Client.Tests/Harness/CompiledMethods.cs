using System.Diagnostics.Tracing;

namespace Jackdaw.Client.Tests.Harness;

/// <summary>Counts methods that are made at run time, such as accessors that a serializer compiles for a type.</summary>
internal sealed class CompiledMethods : EventListener
{
    private const EventKeywords Jit = (EventKeywords)0x10;
    private const uint IsDynamic = 0x1;

    private int _count;

    public int Count => Volatile.Read(ref _count);

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == "Microsoft-Windows-DotNETRuntime")
        {
            EnableEvents(eventSource, EventLevel.Verbose, Jit);
        }
    }

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        if (eventData.EventName?.StartsWith("MethodLoad", StringComparison.Ordinal) == true
            && eventData.PayloadNames?.IndexOf("MethodFlags") is >= 0 and int flags
            && (Convert.ToUInt32(eventData.Payload![flags], System.Globalization.CultureInfo.InvariantCulture) & IsDynamic) != 0)
        {
            Interlocked.Increment(ref _count);
        }
    }
}
