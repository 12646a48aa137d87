using System.Runtime.ExceptionServices;
using Jackdaw.Client.Requests;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>A read that waits to be sent together with others.</summary>
internal abstract class LazyRead
{
    private ExceptionDispatchInfo? _error;

    /// <summary>Whether it has its value, or its error.</summary>
    public bool IsDone { get; protected set; }

    /// <summary>The request to send; null if making it has failed.</summary>
    public abstract BatchedRead? TryMake();

    public abstract void Take(ReadAnswer answer);

    public void Fail(Exception error)
    {
        _error = ExceptionDispatchInfo.Capture(error);
        IsDone = true;
    }

    /// <summary>Throws its error, if it has one.</summary>
    public void ThrowIfFailed() => _error?.Throw();
}

/// <summary>A read that waits to be sent together with others.</summary>
/// <typeparam name="T">What its answer becomes.</typeparam>
internal sealed class LazyRead<T> : LazyRead
{
    private readonly string _name;
    private readonly Func<string, BatchedRead>? _make;
    private readonly Func<ReadAnswer, T>? _take;
    private T? _value;

    /// <summary>A read that needs no request.</summary>
    public LazyRead(T value)
    {
        (_value, _name) = (value, "");
        IsDone = true;
    }

    /// <param name="name">The method that the user calls.</param>
    /// <param name="make">Makes the request at the moment when it is sent, because a query waits for what the session has saved until then.</param>
    /// <param name="take">Makes the value from the answer.</param>
    public LazyRead(string name, Func<string, BatchedRead> make, Func<ReadAnswer, T> take) => (_name, _make, _take) = (name, make, take);

    public T Value
    {
        get
        {
            ThrowIfFailed();
            return _value!;
        }
    }

    public override BatchedRead? TryMake()
    {
        try
        {
            return _make!(_name);
        }
        catch (Exception error)
        {
            Fail(error); // only this one fails; the others are sent
            return null;
        }
    }

    public override void Take(ReadAnswer answer)
    {
        try
        {
            _value = _take!(answer);
            IsDone = true;
        }
        catch (Exception error)
        {
            Fail(error);
        }
    }
}
