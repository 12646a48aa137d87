using System.Security.Authentication;
using Jackdaw.Client.Certificates;

namespace Jackdaw.Client.Http;

/// <summary>Says why no connection to a server was made, in words that lead to what helps. The message of the failure itself often says only that
/// there is another exception within it.</summary>
internal static class ConnectionFailures
{
    /// <summary>The failure of a request that got no answer, in any form: a connection that was not made in time looks as if the caller had
    /// cancelled the request.</summary>
    /// <returns>Null for another failure.</returns>
    public static HttpRequestException? Of(Exception failure, CancellationToken token) => failure switch
    {
        HttpRequestException failed => failed,
        OperationCanceledException { InnerException: TimeoutException late } when !token.IsCancellationRequested =>
            new HttpRequestException(HttpRequestError.ConnectionError, late.Message, failure),
        _ => null,
    };

    /// <summary>Why a request got no answer.</summary>
    public static string ReasonOf(Exception failure)
    {
        if (UntrustedServerException.Within(failure) is { } untrusted)
        {
            return untrusted.Message;
        }

        return failure is HttpRequestException { HttpRequestError: HttpRequestError.SecureConnectionError, InnerException: { } within }
            ? $"No secure connection was made. {within.Message}{(within.InnerException is { } last ? $" {last.Message}" : "")}"
            : failure.Message;
    }

    /// <summary>What may help, to be added to the reason; empty for nothing.</summary>
    public static string HintOf(HttpRequestException failure, ConnectionSecurity? security)
    {
        if (UntrustedServerException.Within(failure) is not null)
        {
            return "";
        }

        if (failure.HttpRequestError == HttpRequestError.SecureConnectionError && failure.InnerException is AuthenticationException or IOException)
        {
            return " Does it use https? A server without a certificate answers http only.";
        }

        // A server or a proxy may end the connection because of the client's certificate without another word.
        return security is not null && failure.HttpRequestError is HttpRequestError.ResponseEnded or HttpRequestError.Unknown ? $" {security.Sent}" : "";
    }
}
