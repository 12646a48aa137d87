using System.Text.Json;
using Jackdaw.Client.Http;

namespace Jackdaw.Client.Operations;

/// <summary>An operation of one database that does not concern its documents.</summary>
/// <typeparam name="TResult">What the server answers.</typeparam>
public abstract class DatabaseOperation<TResult>
{
    private protected DatabaseOperation()
    {
    }

    internal abstract RequestMessage MakeRequest();

    /// <param name="answer">The answer; undefined: not found.</param>
    internal abstract TResult Read(JsonElement answer);
}

/// <summary>An operation of the whole server.</summary>
/// <typeparam name="TResult">What the server answers.</typeparam>
public abstract class ServerOperation<TResult>
{
    private protected ServerOperation()
    {
    }

    internal abstract RequestMessage MakeRequest();

    /// <param name="answer">The answer; undefined: not found.</param>
    internal abstract TResult Read(JsonElement answer);

    /// <summary>Reads an answer that may be something else than JSON.</summary>
    internal virtual TResult Read(RequestAnswer answer)
    {
        using JsonDocument? json = OperationAnswer.Parse(answer);
        return Read(json?.RootElement ?? default);
    }
}
