namespace Jackdaw.Security.Keys;

/// <summary>The folder of keys and of what says who may do what, with the names of its files. Only the server's user may open it.</summary>
internal sealed class SecurityFolder
{
    /// <summary>Its name in the data folder.</summary>
    public const string Name = "Security";

    private SecurityFolder(string path) => Path = path;

    public string Path { get; }

    /// <summary>The key of the certificate authority with its certificate: the file whose existence says that the first start is done.</summary>
    public string AuthorityKey => File("ca.key");

    /// <summary>The certificates that clients trust: that of the authority, and the previous one while both are trusted.</summary>
    public string Authority => File("ca.pem");

    /// <summary>The key of the authority that is being replaced, with its certificate. Exists only while both are trusted.</summary>
    public string PreviousAuthorityKey => File("previous-ca.key");

    public string ServerKey => File("server.pfx");

    /// <summary>The certificate of the server that an administrator brought over HTTP, with its key.</summary>
    public string GivenServerKey => File("server.given.pfx");

    public string KnownCertificates => File("certificates.json");

    public string AdministratorPfx => File("admin.client.pfx");

    public string AdministratorPem => File("admin.client.pem");

    public string FirstStartPage => File("first-start.txt");

    public string MetricsTokens => File("metrics-tokens.json");

    public string Audit => File("audit");

    /// <summary>The names of the files of a data folder, which need not exist.</summary>
    public static SecurityFolder At(string dataFolder) => new(System.IO.Path.Combine(dataFolder, Name));

    /// <summary>Opens the folder of a data folder, and makes it when it does not exist.</summary>
    /// <exception cref="KeyFileException">Others may open it or something in it.</exception>
    /// <exception cref="IOException">The system does not allow it.</exception>
    public static SecurityFolder Open(string dataFolder)
    {
        SecurityFolder folder = At(dataFolder);
        ProtectedFiles.CreateFolder(folder.Path);
        ProtectedFiles.CheckModes(folder.Path);
        return folder;
    }

    /// <summary>Takes the lock of the folder, which a running server holds.</summary>
    /// <exception cref="KeyFileException">The file must be made, and the server could not open what this user makes.</exception>
    /// <exception cref="Jackdaw.Pal.PalException">Another process holds it, or the system refuses.</exception>
    public IDisposable Lock(TimeProvider time)
    {
        string path = File("lock");
        if (!System.IO.File.Exists(path))
        {
            ProtectedFiles.CheckOwner(Path);
            ProtectedFiles.WriteAll(path, []); // otherwise the system would choose its mode
        }

        return ProtectedFiles.Platform.Lock(path, $"pid {Environment.ProcessId} since {time.GetUtcNow():u}");
    }

    private string File(string name) => System.IO.Path.Combine(Path, name);
}
