using Jackdaw.Documents.Operations;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;
using Jackdaw.Search;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Indexing.Catalog;

/// <summary>Moves indexes to another search engine: builds them again with it, one after the other, while the old ones answer. Any thread.</summary>
/// <remarks>
/// <code>
/// none --BeginAsync--> running --the last index has ended--> completed
///                         |  ^
///           database closes  database opens; or BeginAsync, after a failure
///                         |
///                         +--StopAsync, or the operation is killed--> stopped
/// </code>
/// The record of the move (<see cref="EngineMoveTable"/>) says what is left. It changes under the gate of the catalog, as everything here does.
/// </remarks>
internal sealed class EngineMoves(IndexHost host, IndexCatalog catalog, IIndexFactory factory)
{
    /// <summary>Characters of a reason that are kept. A message of the compiler can have thousands.</summary>
    private const int ReasonLengthMax = 1000;

    private volatile EngineMoveRun? _run; // the last one since the database was opened; written under the gate

    /// <summary>How far the last move is; null if there was none.</summary>
    public EngineMoveProgress? Progress => EngineMoveTable.Read(host.Database) is { } move
        ? EngineMoveProgress.Of(move, host, catalog, _run)
        : null;

    /// <summary>Names the engines that new indexes get, if it is not the one of a move; null if it is.</summary>
    public string? DescribeOtherSettings(string engine)
    {
        string ofDefined = factory.Engines.OfSetting(host.Settings.StaticEngine).Name;
        string ofQueries = factory.Engines.OfSetting(host.Settings.AutoEngine).Name;
        return ofDefined == engine && ofQueries == engine
            ? null
            : $"By the settings of this database, indexes that are built later are of {ofDefined}, and those that queries make of {ofQueries}; resets, too. "
                + "Set Indexing.Static.SearchEngineType and Indexing.Auto.SearchEngineType to change that.";
    }

    /// <summary>Begins a move. One to the same engine that runs already gets the indexes that it does not have yet.</summary>
    /// <param name="engine">The name of the engine, in any casing.</param>
    /// <param name="names">The indexes; empty: all that another engine has written.</param>
    /// <param name="begin">Makes the operation; called only if none runs.</param>
    /// <returns>The work, and whether it is new, so that the caller has to do it (<see cref="RunAsync"/>).</returns>
    /// <exception cref="IndexException">There is no such engine or index, or another move runs; nothing was changed.</exception>
    public async Task<(EngineMoveRun Run, bool IsNew)> BeginAsync(
        string engine, IReadOnlyList<string> names, Func<OperationFigures, Operation> begin, CancellationToken cancellationToken)
    {
        string target = RequireEngine(engine);
        using CatalogChange change = await catalog.BeginChangeAsync(cancellationToken).ConfigureAwait(false);
        EngineMove? last = EngineMoveTable.Read(host.Database);
        List<MovedIndex> wanted = Choose(target, names);
        if (_run is { IsEnded: false } running)
        {
            RequireSame(last!, target);
            await StoreAsync(last!.Plus([.. wanted.Where(index => !last.With(MoveOutcome.Left).Any(left => left.IsOf(index.Name)))]), running)
                .ConfigureAwait(false);
            return (running, false);
        }

        EngineMove move = last is { State: EngineMoveState.Running } && last.Engine == target
            ? last.Plus(wanted)
            : new EngineMove(target, EngineMoveState.Running, host.Time.GetUtcNow().UtcTicks, wanted);
        move = move.With(MoveOutcome.Left).Any() ? move : move with { State = EngineMoveState.Completed };
        return (await BeginAsync(move, begin).ConfigureAwait(false), true);
    }

    /// <summary>Goes on with a move that was running when the database was closed. Called once, when it is opened.</summary>
    public void Resume()
    {
        if (EngineMoveTable.Read(host.Database) is not { State: EngineMoveState.Running } move)
        {
            return;
        }

        var figures = new EngineMoveFigures { Move = move };
        if (host.Database.Operations.TryBegin(host.Database.Operations.NextId(), out Operation operation, figures: figures))
        {
            host.Logger.LogInformation("The indexes of database {Database} go on moving to the search engine {Engine}", host.Database.Name, move.Engine);
            EngineMoveRun run = _run = new EngineMoveRun(operation, figures);
            _ = Task.Run(() => RunResumedAsync(run), CancellationToken.None);
        }
    }

    /// <summary>Does the work of a move that was begun. When its operation is killed, the move is stopped.</summary>
    /// <param name="ended">Interrupts the work; it goes on when the database is opened the next time.</param>
    public async Task RunAsync(EngineMoveRun run, CancellationToken ended)
    {
        run.Start();
        CancellationToken killed = run.Operation.Killed;
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ended, killed, host.Closing);
        try
        {
            while (run.Figures.Move.With(MoveOutcome.Left).FirstOrDefault() is { } next)
            {
                MovedIndex moved = await MoveAsync(next.Name, run, either.Token).ConfigureAwait(false);
                await NoteAsync(moved with { Reason = Shorten(moved.Reason) }, run, either.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (killed.IsCancellationRequested && !host.Closing.IsCancellationRequested)
        {
            await StopAsync(CancellationToken.None).ConfigureAwait(false);
            throw;
        }
        finally
        {
            run.End();
        }
    }

    /// <summary>Stops the move. What has moved stays; what is being built is discarded. Returns false if none runs.</summary>
    /// <exception cref="IndexException">The database is being closed, or it cannot be written.</exception>
    public async Task<bool> StopAsync(CancellationToken cancellationToken)
    {
        EngineMoveRun? run;
        using (CatalogChange change = await catalog.BeginChangeAsync(cancellationToken).ConfigureAwait(false))
        {
            run = _run;
            if (EngineMoveTable.Read(host.Database) is not { State: EngineMoveState.Running } move)
            {
                return false;
            }

            await StoreAsync(move with { State = EngineMoveState.Stopped }, run).ConfigureAwait(false);
            foreach (MovedIndex left in move.With(MoveOutcome.Left))
            {
                await new EngineMoveStep(catalog, factory, left.Name, move.Engine).DiscardAsync(change).ConfigureAwait(false);
            }
        }

        run?.Operation.Kill(); // after the gate is free: its worker goes on at once
        return true;
    }

    /// <summary>Waits until no work is done any more. The database has begun to close.</summary>
    public Task WaitForEndAsync() => _run?.Ended ?? Task.CompletedTask;

    private async Task<EngineMoveRun> BeginAsync(EngineMove move, Func<OperationFigures, Operation> begin)
    {
        var figures = new EngineMoveFigures { Move = move };
        Operation operation = begin(figures);
        var run = new EngineMoveRun(operation, figures) { IsEnded = move.State != EngineMoveState.Running };
        try
        {
            await StoreAsync(move, run).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            operation.Fail(failure);
            throw;
        }

        _run = run;
        return run;
    }

    private async Task RunResumedAsync(EngineMoveRun run)
    {
        try
        {
            await RunAsync(run, CancellationToken.None).ConfigureAwait(false);
            run.Operation.TryComplete();
        }
        catch (Exception failure)
        {
            run.Operation.Fail(failure);
        }
    }

    private async Task<MovedIndex> MoveAsync(string name, EngineMoveRun run, CancellationToken ended)
    {
        var step = new EngineMoveStep(catalog, factory, name, run.Figures.Move.Engine);
        while (true)
        {
            Task changed = catalog.Changed.Next;
            if (step.Decide() is null)
            {
                await changed.WaitAsync(ended).ConfigureAwait(false);
                continue;
            }

            using CatalogChange change = await catalog.BeginChangeAsync(ended).ConfigureAwait(false);
            ended.ThrowIfCancellationRequested();
            if (run.Figures.Move.State == EngineMoveState.Stopped)
            {
                throw new OperationCanceledException("The move was stopped.");
            }

            if (await step.ApplyAsync(change).ConfigureAwait(false) is { } end)
            {
                return end;
            }
        }
    }

    private async Task NoteAsync(MovedIndex moved, EngineMoveRun run, CancellationToken ended)
    {
        using CatalogChange change = await catalog.BeginChangeAsync(ended).ConfigureAwait(false);
        EngineMove move = EngineMoveTable.Read(host.Database)!.After(moved);
        await StoreAsync(move, run).ConfigureAwait(false);
        if (move.State != EngineMoveState.Running)
        {
            run.IsEnded = true; // so that a move that is asked for now begins anew
        }

        if (moved.Outcome == MoveOutcome.Failed)
        {
            host.Logger.LogWarning("Index {Index} of database {Database} did not move to the search engine {Engine}: {Reason}",
                moved.Name, host.Database.Name, move.Engine, moved.Reason?.ReplaceLineEndings(" "));
        }

        run.Operation.Report(new BulkInsertCounts(move.With(MoveOutcome.Moved).Count(), 0, null));
    }

    private async Task StoreAsync(EngineMove move, EngineMoveRun? run)
    {
        await host.StoreAsync(new WriteEngineMoveCommand(move), "The move of the indexes").ConfigureAwait(false);
        run?.Figures.Move = move;
    }

    private List<MovedIndex> Choose(string target, IReadOnlyList<string> names)
    {
        IEnumerable<DatabaseIndex> chosen = names.Count > 0
            ? names.Select(Require).DistinctBy(index => index.Name, StringComparer.OrdinalIgnoreCase)
            : catalog.All.Where(index => index.Record.Replaces is null && index.Record.Engine != target);
        return [.. chosen.Select(index => new EngineMoveStep(catalog, factory, index.Name, target).Begin())];
    }

    private DatabaseIndex Require(string name) => catalog.Require(name) is { Record.Replaces: { } replaced }
        ? throw new IndexException(IndexFault.InvalidDefinition, $"'{name}' is the replacement of an index that is being built; name '{replaced}'.")
        : catalog.Require(name);

    private string RequireEngine(string name)
    {
        SearchEngines engines = factory.Engines;
        string? known = SearchEngines.SettingNames.Concat(engines.Names).FirstOrDefault(known => known.Equals(name, StringComparison.OrdinalIgnoreCase));
        return known is null
            ? throw new IndexException(IndexFault.InvalidDefinition,
                $"There is no search engine '{name}'; Engine can be {string.Join(" or ", engines.Names)}.")
            : engines.Find(known)?.Name ?? throw new IndexException(IndexFault.InvalidDefinition,
                $"This program does not have the search engine '{known}' (it has {string.Join(", ", engines.Names)}): start one that has it, or name another.");
    }

    private static void RequireSame(EngineMove running, string target)
    {
        if (running.Engine != target || running.State != EngineMoveState.Running)
        {
            throw new IndexException(IndexFault.NotNow, running.State == EngineMoveState.Running
                ? $"Indexes are being moved to '{running.Engine}'; stop that first, with DELETE /admin/indexes/move-engine, or wait for its end."
                : "A move of indexes is just being stopped; try again in a moment.");
        }
    }

    private static string? Shorten(string? reason) => reason?.Length > ReasonLengthMax ? reason[..ReasonLengthMax] + "..." : reason;
}
