using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Extensions;

/// <summary>An extension that can check what it has stored, beyond what every table and tree is checked for.</summary>
internal interface IVerifiedExtension
{
    /// <summary>Checks everything in one snapshot. The storage may be any of a server: then the extension has nothing in it.</summary>
    ExtensionReport Verify(ReadTransaction read);
}

/// <summary>What a check of an extension found.</summary>
/// <param name="Problems">What is wrong; empty when all is well.</param>
/// <param name="Unused">What is stored without being used, which is not wrong; null for nothing.</param>
internal sealed record ExtensionReport(IReadOnlyList<string> Problems, string? Unused = null);
