namespace Jackdaw.Client.Conventions;

/// <summary>What a query does when its index has not read everything that was written.</summary>
public enum StaleQueryMode
{
    /// <summary>It answers with what the index has read, and its statistics say so.</summary>
    Answer,

    /// <summary>It waits for the index, for 15 seconds, and then answers with what there is.</summary>
    Wait,

    /// <summary>It waits for the index, for 15 seconds, and then throws a <see cref="Exceptions.StaleResultsException"/>.</summary>
    WaitOrThrow,
}
