using Jackdaw.Client.Http;

namespace Jackdaw.Client.Requests;

/// <summary>Counts the requests of a session.</summary>
internal interface IRequestCounter
{
    /// <summary>Counts a request before it is sent.</summary>
    /// <exception cref="Exceptions.TooManyRequestsInSessionException">There were as many as there may be.</exception>
    void CountRequest(RequestMessage message);
}
