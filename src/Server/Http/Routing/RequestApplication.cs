using Jackdaw.Json.Refusals;
using Jackdaw.Server.Http.Problems;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Abstractions;
using Microsoft.AspNetCore.Http.Features;

namespace Jackdaw.Server.Http.Routing;

/// <summary>The application that Kestrel calls, without middleware: it makes the context, calls the dispatcher, turns failures into answers, and records
/// metrics and traces.</summary>
/// <remarks>Runs on the thread pool. A handler that completes at once costs no state machine.</remarks>
internal sealed class RequestApplication(ServerState server, Dispatcher dispatcher, ILogger<RequestApplication> logger)
    : IHttpApplication<RequestContext>
{
    public RequestContext CreateContext(IFeatureCollection contextFeatures)
    {
        RequestContext context;
        if (contextFeatures is IHostContextContainer<RequestContext> container)
        {
            context = container.HostContext ??= AddConnection(contextFeatures);
        }
        else
        {
            context = new RequestContext(server);
        }

        context.Begin(contextFeatures);
        server.BeginRequest();
        return context;
    }

    public Task ProcessRequestAsync(RequestContext context)
    {
        context.Trace = RequestTrace.TryBegin(context.Request);
        ValueTask pending;
        try
        {
            pending = dispatcher.Dispatch(context);
        }
        catch (Exception failure)
        {
            return FailAsync(context, failure);
        }

        return pending.IsCompletedSuccessfully ? Task.CompletedTask : AwaitAsync(context, pending);
    }

    public void DisposeContext(RequestContext context, Exception? exception)
    {
        context.EndMeasurement();
        context.End();
        server.EndRequest();
    }

    private RequestContext AddConnection(IFeatureCollection features)
    {
        var context = new RequestContext(server);
        if (server.Running is { } running && features.Get<IConnectionLifetimeFeature>() is { } connection)
        {
            running.Add(context, connection);
        }

        return context;
    }

    private async Task AwaitAsync(RequestContext context, ValueTask pending)
    {
        try
        {
            await pending.ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            await FailAsync(context, failure).ConfigureAwait(false);
        }
    }

    // Mistakes of clients are explained in their answers. Logged with a stack trace each, they would hide our own faults. The query string of the address is
    // left out, because it holds data of users, such as the parameters of queries; so do messages about scripts.
    private void Log(RequestContext context, Exception failure)
    {
        if (!ProblemMapping.IsExplained(failure))
        {
            logger.LogError(failure, "{Method} {Path} failed", context.Request.Method, context.Request.Path);
        }
        else if (logger.IsEnabled(LogLevel.Debug))
        {
            string reason = QuotesScripts(failure) ? "the answer says why" : failure.Message.ReplaceLineEndings(" ");
            logger.LogDebug("{Method} {Path} was refused: {Reason}", context.Request.Method, context.Request.Path, reason);
        }
    }

    private static bool QuotesScripts(Exception failure) =>
        failure is RefusedException { Refusal.Kind: RefusalKind.ScriptFailed or RefusalKind.InvalidScript or RefusalKind.InvalidQuery };

    private async Task FailAsync(RequestContext context, Exception failure)
    {
        if (context.Aborted.IsCancellationRequested || failure is Microsoft.AspNetCore.Connections.ConnectionResetException)
        {
            return; // The client is gone: nobody reads an answer.
        }

        Problem problem = ProblemMapping.ToProblem(failure);
        if (problem.Status == StatusCodes.Status500InternalServerError)
        {
            Log(context, failure);
        }

        if (context.Trace is { } trace && (problem.Status >= StatusCodes.Status500InternalServerError || context.Response.HasStarted))
        {
            RequestTrace.Fail(trace, failure);
        }

        if (context.Response.HasStarted)
        {
            // The status was already sent: cutting the connection is the only way to show that the answer is
            // incomplete.
            context.Features.GetRequiredFeature<IHttpRequestLifetimeFeature>().Abort();
            return;
        }

        await context.Send(problem).ConfigureAwait(false);
    }
}
