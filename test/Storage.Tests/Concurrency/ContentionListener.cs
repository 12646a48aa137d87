using System.Collections.Concurrent;
using System.Diagnostics.Tracing;
using System.Runtime.InteropServices;

namespace Jackdaw.Storage.Tests.Concurrency;

/// <summary>Which threads had to wait for a lock, as the runtime itself reports it.</summary>
internal sealed partial class ContentionListener : EventListener
{
    private const string RuntimeEvents = "Microsoft-Windows-DotNETRuntime";
    private const EventKeywords Contention = (EventKeywords)0x4000;

    /// <summary>Waits by thread, as the operating system numbers them.</summary>
    public ConcurrentDictionary<long, int> Waits { get; } = new();

    /// <summary>The calling thread's number; asked without a lock of the runtime, unlike /proc/thread-self.</summary>
    [LibraryImport("libc", EntryPoint = "gettid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int GetThisThread();

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == RuntimeEvents)
        {
            EnableEvents(eventSource, EventLevel.Informational, Contention);
        }
    }

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        if (eventData.EventName!.StartsWith("ContentionStart", StringComparison.Ordinal))
        {
            Waits.AddOrUpdate(eventData.OSThreadId, 1, static (_, waits) => waits + 1);
        }
    }
}
