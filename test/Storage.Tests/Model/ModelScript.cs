namespace Jackdaw.Storage.Tests.Model;

/// <summary>Random scripts, and the search for a shorter one that fails as well.</summary>
internal static class ModelScript
{
    /// <summary>Keys per tree: few enough to be met again, enough for trees of some levels.</summary>
    public const int KeyCount = 1500;

    private const int RunKeyCount = 12;

    private const int PhaseSteps = 800;

    // Weights in the order of StepKind; changes of single entries come from what is left.
    private static readonly (StepKind Kind, int PerMille)[] s_rare =
    [
        (StepKind.Get, 60), (StepKind.Range, 12), (StepKind.DropTree, 1), (StepKind.GetRow, 40),
        (StepKind.Commit, 60), (StepKind.Submit, 60), (StepKind.Rollback, 10),
        (StepKind.OpenReader, 14), (StepKind.CheckReader, 20), (StepKind.CloseReader, 12),
        (StepKind.Flush, 12), (StepKind.Sync, 6), (StepKind.Settle, 2), (StepKind.Verify, 2), (StepKind.Reopen, 1),
        (StepKind.Abandon, 2), (StepKind.PutDirect, 20), (StepKind.DeletePrefix, 1), (StepKind.WriteDirect, 2), (StepKind.Punch, 2),
    ];

    // The same for few keys with large values, so that pages are freed and used again all the time; the rest is deletes.
    private static readonly (StepKind Kind, int PerMille)[] s_ofRuns =
    [
        (StepKind.PutDirect, 290), (StepKind.Put, 130), (StepKind.DeletePrefix, 15), (StepKind.DropTree, 3), (StepKind.WriteDirect, 35),
        (StepKind.PutRow, 30), (StepKind.DeleteRow, 15), (StepKind.Commit, 70), (StepKind.Submit, 80), (StepKind.Rollback, 25),
        (StepKind.OpenReader, 25), (StepKind.CheckReader, 25), (StepKind.CloseReader, 22),
        (StepKind.Flush, 25), (StepKind.Sync, 20), (StepKind.Punch, 30), (StepKind.Settle, 4), (StepKind.Verify, 4), (StepKind.Reopen, 2),
        (StepKind.Abandon, 6),
    ];

    /// <summary>The script of a seed.</summary>
    public static List<ModelStep> Generate(int seed, int steps)
    {
        var random = new Random(seed);
        List<ModelStep> script = new(steps);
        for (int i = 0; i < steps; i++)
        {
            bool shrinks = i / PhaseSteps % 3 == 2;
            script.Add(new ModelStep(PickKind(random, shrinks), random.Next(1 << 16), random.Next(KeyCount),
                PickLength(random), random.Next()));
        }

        return script;
    }

    /// <summary>A script of large values, most of them direct runs, under few keys.</summary>
    public static List<ModelStep> GenerateRuns(int seed, int steps)
    {
        var random = new Random(seed);
        List<ModelStep> script = new(steps);
        for (int i = 0; i < steps; i++)
        {
            StepKind kind = Pick(random, s_ofRuns) ?? StepKind.Delete;
            int length = random.Next(10) == 0 ? random.Next(300) : random.Next(2_001, random.Next(8) == 0 ? 200_000 : 30_000);
            script.Add(new ModelStep(kind, random.Next(1 << 16), random.Next(RunKeyCount), length, random.Next()));
        }

        return script;
    }

    /// <summary>Leaves out parts as long as the rest still fails.</summary>
    /// <param name="script">A script that fails.</param>
    /// <param name="fails">Runs a script.</param>
    /// <param name="triesMax">Runs at most.</param>
    public static List<ModelStep> Shrink(List<ModelStep> script, Func<List<ModelStep>, bool> fails, int triesMax)
    {
        int part = script.Count / 2;
        while (part > 0 && triesMax > 0)
        {
            bool isShorter = false;
            for (int start = 0; start < script.Count && triesMax > 0; triesMax--)
            {
                List<ModelStep> rest = [.. script.Take(start), .. script.Skip(start + part)];
                if (fails(rest))
                {
                    script = rest;
                    isShorter = true;
                }
                else
                {
                    start += part;
                }
            }

            part = isShorter && part < script.Count ? part : part / 2;
        }

        return script;
    }

    private static StepKind PickKind(Random random, bool shrinks)
    {
        if (Pick(random, s_rare) is { } rare)
        {
            return rare;
        }

        bool isDelete = random.Next(100) < (shrinks ? 70 : 25);
        bool isRow = random.Next(100) < 35;
        return isRow
            ? isDelete ? StepKind.DeleteRow : StepKind.PutRow
            : isDelete ? StepKind.Delete : StepKind.Put;
    }

    private static StepKind? Pick(Random random, (StepKind Kind, int PerMille)[] weights)
    {
        int draw = random.Next(1000);
        foreach ((StepKind kind, int perMille) in weights)
        {
            draw -= perMille;
            if (draw < 0)
            {
                return kind;
            }
        }

        return null;
    }

    private static int PickLength(Random random) => random.Next(1000) switch
    {
        < 600 => random.Next(200),
        < 850 => random.Next(3_000),
        < 985 => random.Next(20_000),
        < 997 => random.Next(200_000),
        _ => random.Next(3_000_000),
    };
}
