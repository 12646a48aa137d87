namespace Jackdaw.Server.Configuration;

/// <summary>The settings of who may connect and how the server proves who it is. Immutable.</summary>
public sealed record SecuritySettings
{
    /// <summary>From which addresses a server without https may be used, beside this machine.</summary>
    public UnsecuredAccess UnsecuredAccess { get; init; }

    /// <summary>Absolute path of the operator's own certificate for the server, PEM or PFX; null for one that the server makes and renews.</summary>
    public string? CertificatePath { get; init; }

    /// <summary>Password of that file; null for none.</summary>
    public string? CertificatePassword { get; init; }

    /// <summary>Further host names and addresses for the certificate that the server makes.</summary>
    public IReadOnlyList<string> CertificateNames { get; init; } = [];

    /// <summary>Thumbprints of certificates that are cluster administrators, in upper-case hexadecimal digits.</summary>
    public IReadOnlyList<string> AdministratorThumbprints { get; init; } = [];
}

/// <summary>From which addresses a server without https may be used.</summary>
public enum UnsecuredAccess
{
    /// <summary>Only from this machine.</summary>
    None,

    /// <summary>From private addresses too: connections from public ones are refused.</summary>
    PrivateNetwork,

    /// <summary>From everywhere.</summary>
    PublicNetwork,
}
