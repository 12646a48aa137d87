using Jackdaw.Client;
using Jackdaw.Client.Sessions;

namespace Jackdaw.Cities.Web;

/// <summary>Around each request of the page: its reads are answered from memory as long as nothing has changed, and what goes to the server is
/// counted.</summary>
/// <param name="isOn">False: each read asks the server.</param>
internal sealed class CachedReads(bool isOn) : IEndpointFilter
{
    private long _requests;
    private long _fromCache;

    /// <summary>Since the start.</summary>
    public Traffic Traffic => new(isOn, Interlocked.Read(ref _requests), Interlocked.Read(ref _fromCache));

    public async ValueTask<object?> InvokeAsync(EndpointFilterInvocationContext context, EndpointFilterDelegate next)
    {
        bool isRead = HttpMethods.IsGet(context.HttpContext.Request.Method);
        IServiceProvider services = context.HttpContext.RequestServices;

        // Reads only: an edit begins with what the server has.
        using IDisposable? scope = isOn && isRead ? services.GetRequiredService<IDocumentStore>().AggressivelyCache() : null;
        object? answer = await next(context);
        int requests = services.GetRequiredService<IAsyncDocumentSession>().Advanced.NumberOfRequests;
        Interlocked.Add(ref _requests, requests);
        if (isRead && requests == 0)
        {
            Interlocked.Increment(ref _fromCache);
        }

        return answer;
    }
}

/// <summary>What the page cost the server.</summary>
/// <param name="IsCached">Whether reads may be answered from memory.</param>
/// <param name="Requests">Sent to the server.</param>
/// <param name="FromCache">Reads of the page that needed none.</param>
public sealed record Traffic(bool IsCached, long Requests, long FromCache);
