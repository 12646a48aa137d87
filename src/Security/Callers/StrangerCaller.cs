using Jackdaw.Documents.Callers;

namespace Jackdaw.Security.Callers;

/// <summary>The caller of a secured server who presents nothing. May only do what everybody may.</summary>
internal sealed class StrangerCaller : Caller
{
    private readonly string _came;

    private StrangerCaller(string came) => _came = came;

    /// <summary>Presents nothing.</summary>
    public static StrangerCaller Instance { get; } = new("came without a client certificate");

    /// <summary>Presents a certificate that is damaged.</summary>
    public static StrangerCaller Unreadable { get; } = new("came with a client certificate that cannot be read");

    public override string Name => "a caller without a client certificate";

    public override bool May(Access access, ReadOnlySpan<char> database) => access == Access.Anonymous;

    protected override string Refuse(Access access, string database) =>
        $"and the request {_came}. Present one that this server knows. The certificate and its private key are needed: curl --cert "
        + "FILE.pem; in .NET an X509Certificate2 from the .pfx. Node's client drops a key in PEM that does not begin with 'BEGIN RSA PRIVATE KEY' "
        + "(PKCS#1) without a word: give it the .pem or .pfx that the server made. A browser that was asked before remembers its answer: import the .pfx, "
        + $"and close all of its windows. {RefusalWords.HowToCreate(access, database)}";
}
