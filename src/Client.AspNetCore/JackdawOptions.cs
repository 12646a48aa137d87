using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Indexes;

namespace Jackdaw.Client.AspNetCore;

/// <summary>What a store is made with.</summary>
public sealed class JackdawOptions
{
    /// <summary>Addresses of servers that hold the same databases, such as <c>http://127.0.0.1:8080</c>. Required.</summary>
    public IReadOnlyList<string> Urls { get; set; } = [];

    /// <summary>The database of the sessions. Required.</summary>
    public string? Database { get; set; }

    /// <summary>Time that one request may take. Null means 5 minutes, and no limit for streams and bulk inserts.</summary>
    public TimeSpan? RequestTimeout { get; set; }

    /// <summary>Addresses and database as one text: <c>Url=http://127.0.0.1:8080;Database=shop</c>, with commas between several addresses. What it
    /// says counts, unless <see cref="Urls"/> or <see cref="Database"/> are set.</summary>
    public string? ConnectionString { get; set; }

    /// <summary>The file of the client certificate with its private key, PFX or PEM. Requires addresses with https. It is read when the program
    /// starts.</summary>
    public string? CertificateFile { get; set; }

    /// <summary>The password of <see cref="CertificateFile"/>; null for none.</summary>
    public string? CertificatePassword { get; set; }

    /// <summary>A file with the certificates of the authorities that may issue certificates of servers, such as the <c>ca.pem</c> of a Jackdaw
    /// server. Null: those of the machine, and the one within a PFX that the server made.</summary>
    public string? TrustedAuthoritiesFile { get; set; }

    /// <summary>The client certificate, instead of a file. The program disposes it.</summary>
    public X509Certificate2? Certificate { get; set; }

    /// <summary>Makes the connections, instead of ordinary sockets: the handler of a server within a test. The store disposes it.</summary>
    public HttpMessageHandler? MessageHandler { get; set; }

    /// <summary>Whether the database is created when the program starts and the server does not have it.</summary>
    public bool CreateDatabase { get; set; }

    /// <summary>Indexes that are created or changed when the program starts, before it takes requests.</summary>
    public IList<IAbstractIndexCreationTask> Indexes { get; } = [];

    /// <summary>Adds all index classes of an assembly to <see cref="Indexes"/>.</summary>
    [RequiresUnreferencedCode("Classes that nothing else uses may be gone: add them to Indexes.")]
    public void AddIndexes(Assembly assembly)
    {
        foreach (IAbstractIndexCreationTask index in IndexCreation.IndexesOf(assembly))
        {
            Indexes.Add(index);
        }
    }

    /// <summary>Where the options come from, for messages; null if they come from code.</summary>
    internal string? Section { get; set; }

    /// <summary>What is wrong with the section itself, found before the values are checked.</summary>
    internal List<string> Problems { get; } = [];

    internal Action<DocumentConventions>? ConventionChanges { get; private set; }

    /// <summary>Changes the conventions of the store before it is initialized. Several changes are made in the order of the calls.</summary>
    public void Conventions(Action<DocumentConventions> change)
    {
        ArgumentNullException.ThrowIfNull(change);
        ConventionChanges += change;
    }
}
