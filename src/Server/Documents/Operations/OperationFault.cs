namespace Jackdaw.Server.Documents.Operations;

/// <summary>Why an operation failed, as its client will read it.</summary>
/// <param name="Type">Full name of an exception type that clients know.</param>
/// <param name="Message">What was wrong, where, and what to do.</param>
/// <param name="StatusCode">Status that a request with this failure would have had.</param>
public sealed record OperationFault(string Type, string Message, int StatusCode);
