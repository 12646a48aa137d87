using System.Diagnostics;

namespace Jackdaw.Client.Http;

/// <summary>Results of calls with <c>isAsync</c> false: they have completed when they return.</summary>
internal static class Completed
{
    public static T Result<T>(ValueTask<T> call)
    {
        Debug.Assert(call.IsCompleted, "a synchronous call never leaves its thread");
        return call.GetAwaiter().GetResult();
    }

    public static void Result(ValueTask call)
    {
        Debug.Assert(call.IsCompleted, "a synchronous call never leaves its thread");
        call.GetAwaiter().GetResult();
    }
}
