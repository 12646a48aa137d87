namespace Jackdaw.Server.Documents.Operations;

/// <summary>States of an operation; the names are the protocol's.</summary>
public enum OperationStatus
{
    InProgress,
    Completed,
    Faulted,
    Canceled,
}
