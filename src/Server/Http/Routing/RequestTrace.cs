using System.Diagnostics;
using System.Globalization;
using Jackdaw.Documents.Diagnostics;
using Microsoft.Extensions.Primitives;

namespace Jackdaw.Server.Http.Routing;

/// <summary>The activity of a request: its name and tags by OpenTelemetry's conventions for HTTP servers.</summary>
/// <remarks>Query strings and ids are left out, because they hold data of users.</remarks>
internal static class RequestTrace
{
    private const string MethodTag = "http.request.method";
    private const string OtherMethod = "_OTHER";

    /// <summary>The list of the conventions. All other methods share one tag, so that callers cannot create any number of values.</summary>
    private static readonly HashSet<string> s_methods =
        ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "QUERY"];

    /// <summary>Begins the activity, as a child of the caller's when the request names it (traceparent).</summary>
    /// <returns>Null when there is no listener, which allocates nothing, or when no listener wants this one.</returns>
    public static Activity? TryBegin(HttpRequest request) => DatabaseActivities.Source.HasListeners() ? Begin(request) : null;

    /// <summary>Marks a request whose answer failed or was cut off.</summary>
    public static void Fail(Activity activity, Exception failure)
    {
        activity.SetStatus(ActivityStatusCode.Error, failure.Message);
        activity.SetTag(DatabaseActivities.ErrorTag, failure.GetType().FullName);
    }

    /// <summary>Ends the activity, with the tags that are known at the end.</summary>
    public static void End(Activity activity, RequestContext context)
    {
        int status = context.Response.StatusCode;
        activity.SetTag("http.response.status_code", status);
        if (context.Route is { } route)
        {
            activity.DisplayName = $"{activity.OperationName} {route.Template}";
            activity.SetTag("http.route", route.Template);
        }

        if (context.DatabaseName is { } database)
        {
            activity.SetTag(DatabaseActivities.DatabaseTag, database);
        }

        // A mistake of the caller is not an error of the server.
        if (status >= StatusCodes.Status500InternalServerError && activity.Status == ActivityStatusCode.Unset)
        {
            activity.SetStatus(ActivityStatusCode.Error);
            activity.SetTag(DatabaseActivities.ErrorTag, status.ToString(CultureInfo.InvariantCulture));
        }

        activity.Dispose();
    }

    private static Activity? Begin(HttpRequest request)
    {
        bool isKnown = s_methods.Contains(request.Method);
        KeyValuePair<string, object?>[] tags =
        [
            new(MethodTag, isKnown ? request.Method : OtherMethod),
            new("http.request.method_original", isKnown ? null : request.Method),
            new("url.scheme", request.Scheme),
            new("url.path", request.Path.Value),
            new("server.address", request.Host.Host),
            new("server.port", request.Host.Port),
        ];
        return DatabaseActivities.Source.StartActivity(NameOf(isKnown, request.Method), ActivityKind.Server, ReadParent(request), tags);
    }

    private static string NameOf(bool isKnown, string method) => isKnown ? method : "HTTP";

    // A header that is malformed or sent twice counts as absent, as the standard requires: the request begins a new
    // trace.
    private static ActivityContext ReadParent(HttpRequest request)
    {
        StringValues parent = request.Headers.TraceParent;
        return parent.Count == 1
            && ActivityContext.TryParse(parent[0], request.Headers.TraceState.ToString(), isRemote: true, out ActivityContext context)
            ? context
            : default;
    }
}
