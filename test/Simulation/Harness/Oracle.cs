using System.Collections.Immutable;

namespace Jackdaw.Simulation.Harness;

/// <summary>What a storage may answer after a power cut: the full state of every transaction id, the last acknowledged one and
/// the last submitted one. Thread safe.</summary>
internal sealed class Oracle
{
    private readonly Lock _lock = new(); // guards _view
    private OracleView _view;

    /// <summary>Of a storage that does not exist yet.</summary>
    public Oracle()
        : this(new OracleView(ImmutableDictionary<long, ModelState>.Empty.Add(0, ModelState.Empty), 0, 0))
    {
    }

    private Oracle(OracleView view) => _view = view;

    /// <summary>An oracle of its own that begins with what another one knew at an instant.</summary>
    public static Oracle From(OracleView view) => new(view);

    /// <summary>One instant.</summary>
    public OracleView View
    {
        get
        {
            lock (_lock)
            {
                return _view;
            }
        }
    }

    /// <summary>Before a transaction is submitted: from now on it may be found.</summary>
    public void Submit(long transaction, ModelState state) => Change(view => view with
    {
        States = view.States.SetItem(transaction, state),
        Submitted = transaction,
    });

    /// <summary>The last submission was refused before anything was written.</summary>
    public void Withdraw(long transaction) => Change(view => view with { Submitted = transaction - 1 });

    /// <summary>From now on the transaction must be found.</summary>
    public void Acknowledge(long transaction) =>
        Change(view => view with { Acknowledged = Math.Max(view.Acknowledged, transaction) });

    /// <summary>A recovery served this transaction: it counts as acknowledged, and later ones are gone.</summary>
    public void Recover(long transaction) =>
        Change(view => view with { Acknowledged = transaction, Submitted = transaction });

    private void Change(Func<OracleView, OracleView> change)
    {
        lock (_lock)
        {
            _view = change(_view);
        }
    }
}

/// <summary>An instant of an <see cref="Oracle"/>.</summary>
internal sealed record OracleView(ImmutableDictionary<long, ModelState> States, long Acknowledged, long Submitted);
