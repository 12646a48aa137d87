using System.Collections;
using Jackdaw.Server.Configuration;

namespace Jackdaw.Server.Tests.Configuration;

public class SecurityKeysTests
{
    [Theory]
    [InlineData("http://127.0.0.1:0")]
    [InlineData("http://127.8.9.10:0")]
    [InlineData("http://[::1]:0")]
    [InlineData("http://localhost:0")]
    [InlineData("http://LOCALHOST:0")]
    [InlineData("https://127.0.0.1:0")]
    [InlineData("https://*:0")]
    [InlineData("https://db.example.com:0")]
    public void Address_LoopbackOrHttps_Starts(string address) => Assert.Null(Load($"--ServerUrl={address}").Error);

    [Theory]
    [InlineData("http://*:8080", "https://*:8080")]
    [InlineData("http://0.0.0.0:8080", "https://0.0.0.0:8080")]
    [InlineData("http://[::]:8080", "https://[::]:8080")]
    [InlineData("http://10.1.2.3:8080", "https://10.1.2.3:8080")]
    [InlineData("http://db.example.com:8080", "https://db.example.com:8080")]
    [InlineData("http://localhost.example.com:8080", "https://localhost.example.com:8080")]
    public void Address_HttpElsewhere_IsRefusedWithBothWays(string address, string secured)
    {
        string error = Load($"--ServerUrl={address}").Error!;
        Assert.Contains(secured, error, StringComparison.Ordinal);
        Assert.Contains("Security.UnsecuredAccessAllowed", error, StringComparison.Ordinal);
        Assert.Contains("PrivateNetwork", error, StringComparison.Ordinal);
        Assert.Contains("PublicNetwork", error, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', error);
    }

    [Theory]
    [InlineData("PrivateNetwork", UnsecuredAccess.PrivateNetwork)]
    [InlineData("publicnetwork", UnsecuredAccess.PublicNetwork)]
    public void Address_HttpElsewhereThatIsAllowed_Starts(string value, UnsecuredAccess expected)
    {
        ConfigurationResult result = Load("--ServerUrl=http://*:8080", $"--Security.UnsecuredAccessAllowed={value}");
        Assert.Null(result.Error);
        Assert.Equal(expected, result.Options!.Security.UnsecuredAccess);
    }

    [Fact]
    public void PublicServerUrl_HttpOfASecuredServer_IsRefused()
    {
        Assert.Contains("PublicServerUrl = 'http://a:1'", Load("--ServerUrl=https://*:8443", "--PublicServerUrl=http://a:1").Error, StringComparison.Ordinal);
        Assert.Null(Load("--PublicServerUrl=https://proxy.example.com").Error);
    }

    [Fact]
    public void Certificate_ItsKeys_AreTaken()
    {
        SecuritySettings settings = Load(
            "--Security.Certificate.Path=keys/own.pem", "--Security.Certificate.Password=secret",
            "--Security.Certificate.Names= db.example.com , 10.0.0.1,*.a.de,",
            "--Security.WellKnownCertificates.Admin=AA:bb:cc:dd:ee:ff:00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd").Options!.Security;
        Assert.Equal("/folder/keys/own.pem", settings.CertificatePath);
        Assert.Equal("secret", settings.CertificatePassword);
        Assert.Equal(["db.example.com", "10.0.0.1", "*.a.de"], settings.CertificateNames);
        Assert.Equal(["AABBCCDDEEFF00112233445566778899AABBCCDD"], settings.AdministratorThumbprints);
    }

    [Theory]
    [InlineData("--Security.UnsecuredAccessAllowed=2", "None, PrivateNetwork, PublicNetwork")]
    [InlineData("--Security.UnsecuredAccessAllowed=", "None, PrivateNetwork, PublicNetwork")]
    [InlineData("--Security.Certificate.Names=db.example.com,a b", "'a b' is neither a host name nor an address")]
    [InlineData("--Security.Certificate.Names=https://db", "'https://db'")]
    [InlineData("--Security.WellKnownCertificates.Admin=AABB", "'AABB' is not the thumbprint")]
    [InlineData("--Security.WellKnownCertificates.Admin=AABBCCDDEEFF00112233445566778899AABBCCDG", "40 hexadecimal digits")]
    public void Keys_WrongValue_SaysWhatToWrite(string argument, string expected)
    {
        ConfigurationResult result = Load(argument);
        Assert.Null(result.Options);
        Assert.Contains(expected, result.Error, StringComparison.Ordinal);
    }

    private static ConfigurationResult Load(params string[] arguments) => new ConfigurationLoader("/folder", new Hashtable(), arguments).Load();
}
