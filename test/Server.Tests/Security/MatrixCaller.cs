using System.Security.Cryptography.X509Certificates;
using Jackdaw.Documents.Callers;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Security;

/// <summary>One column of the matrix: somebody who sends requests, and what they may do by the words of the documentation, not by code of the server.</summary>
/// <param name="Name">As in the messages of the test.</param>
/// <param name="OnServer">The highest access to the whole server.</param>
/// <param name="OnDatabase">The highest access to the database db1.</param>
/// <param name="Client">Sends its requests.</param>
internal sealed record MatrixCaller(string Name, Access OnServer, Access OnDatabase, HttpClient Client)
{
    /// <summary>The certificate of its connections; null for none.</summary>
    public X509Certificate2? Certificate { get; init; }

    /// <summary>A header that says who sends, beside the certificate; null for none.</summary>
    public (string Name, string Value)? Header { get; init; }

    /// <summary>The only route that a token opens; null when the accesses say what may be done.</summary>
    public string? OnlyRoute { get; init; }

    public Task<Answer> SendAsync(string method, string path, object? body = null) =>
        Answer.ToAsync(Client, method, path, body, Header is { } header ? [header] : []);

    public override string ToString() => Name;
}
