namespace Jackdaw.Repository.Tests.Rules;

/// <summary>One place that breaks a house rule.</summary>
/// <param name="Path">File, from the root of the repository.</param>
/// <param name="Line">Line from 1; 0 means the whole file.</param>
/// <param name="Message">What is wrong and what to do instead.</param>
/// <param name="Amount">For rules about sizes: how much there is, so that the ratchet can compare.</param>
public sealed record Finding(string Path, int Line, string Message, int Amount = 0)
{
    public override string ToString() => Line > 0 ? $"{Path}:{Line}: {Message}" : $"{Path}: {Message}";
}
