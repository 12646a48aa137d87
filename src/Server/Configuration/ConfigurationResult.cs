namespace Jackdaw.Server.Configuration;

/// <summary>What reading the configuration came to.</summary>
/// <param name="Options">Null exactly when there is an error.</param>
/// <param name="Error">One line: which key, which value, from where, what to write instead.</param>
/// <param name="Warnings">One line each; they do not stop the start.</param>
public sealed record ConfigurationResult(ServerOptions? Options, string? Error, IReadOnlyList<string> Warnings);
