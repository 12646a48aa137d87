namespace Jackdaw.Simulation.Harness;

/// <summary>Random life of one storage or of several that share journals, on one thread, with an oracle for each.</summary>
internal interface IWork
{
    /// <summary>What each storage may answer, the root first.</summary>
    IReadOnlyList<Oracle> Oracles { get; }

    /// <summary>Opens; what is found must be allowed, and becomes the state to go on from.</summary>
    void Open();

    /// <summary>One random step.</summary>
    void Step();

    /// <summary>Runs a transaction and waits for it, in each storage.</summary>
    void Commit();

    /// <summary>Waits for what was submitted.</summary>
    void WaitForAll();

    /// <summary>Everything read equals the oracles' states, and the verifier finds nothing.</summary>
    void CheckContents();

    /// <summary>Closes cleanly.</summary>
    void Close();

    /// <summary>Closes what failed or is to be given up; never throws for what it holds.</summary>
    void GiveUp();
}
