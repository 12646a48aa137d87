using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Patching;

/// <summary>A document does not have the version that the client or its script demanded; the patch is refused like a write.</summary>
internal sealed class PatchConflictException(string id, string expected, string actual) : RefusedException(RefusalKind.Conflict,
    $"Document '{id}' {(actual.Length == 0 ? "does not exist" : $"has change vector '{actual}'")}, but the patch expected " +
    $"{(expected.Length == 0 ? "that it does not exist" : $"'{expected}'")}; load it again and decide. " +
    "Nothing of this transaction was written.")
{
    public string Id { get; } = id;

    public string Expected { get; } = expected;

    /// <summary>The stored change vector; empty when there is no document, or when the batch itself writes it.</summary>
    public string Actual { get; } = actual;

    protected override IReadOnlyList<RefusalFact> Facts => Refusal.ConflictFacts(Id, Expected, Actual);
}

/// <summary>An operation of a JSON Patch cannot be applied.</summary>
internal sealed class JsonPatchException(string message) : RefusedException(RefusalKind.InvalidOperation, message);

/// <summary>Other writes changed the documents that a patch had read too many times, always before its result could be written.</summary>
internal sealed class PatchStarvedException(string message) : RefusedException(RefusalKind.Busy, message);

/// <summary>The patches of one batch hold more memory than is allowed; the message says what to do.</summary>
internal sealed class PatchSizeException(string message) : RefusedException(RefusalKind.TooLarge, message);

/// <summary>The patches of one batch take longer than is allowed; the message says what to do.</summary>
internal sealed class PatchTimeException(string message) : RefusedException(RefusalKind.TooLarge, message);
