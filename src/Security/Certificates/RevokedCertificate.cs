namespace Jackdaw.Security.Certificates;

/// <summary>A certificate that was taken out of the list. It is remembered until it expires, because another entry may have the same key.</summary>
internal sealed record RevokedCertificate(string Thumbprint, string Name, DateTimeOffset NotAfter, DateTimeOffset RevokedAt);
