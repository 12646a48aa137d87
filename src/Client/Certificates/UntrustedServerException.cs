using System.Security.Authentication;

namespace Jackdaw.Client.Certificates;

/// <summary>The certificate of a server was refused. The message says why, and what helps.</summary>
internal sealed class UntrustedServerException(string message) : AuthenticationException(message)
{
    /// <summary>The refusal within the exception of a failed request.</summary>
    /// <returns>Null if the request failed for another reason.</returns>
    public static UntrustedServerException? Within(Exception? failure)
    {
        for (; failure is not null; failure = failure.InnerException)
        {
            if (failure is UntrustedServerException refused)
            {
                return refused;
            }
        }

        return null;
    }
}
